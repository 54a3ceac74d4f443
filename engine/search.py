"""The Python face of the search: a game in, a `Thought` out, on as many threads as wanted.

Threads run compiled simulations without the GIL; the caller's thread looks at the clock, reports,
and may stop them at any time. Between two searches the part of the tree that the game went into
is kept.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field

import numpy as np

from engine.calls import address_of
from engine.console import say
from engine.game import Game, Move
from engine.geometry import AREA, BLACK, PASS, WHITE, opponent
from engine.parameters import Settings
from engine.playout.policy import Policy, named_policy
from engine.playout.routines import PLAY, PLAYOUT_ROUTINES
from engine.playout.run import WORK
from engine.priors import Knowledge, NoKnowledge, Prior, knowledge_of
from engine.selection import SELECTIONS
from engine.simulation import (
    CONTROL_WORDS,
    DECIDED,
    FULL,
    LIMIT,
    NODES,
    POSITIONAL,
    ROOT,
    SEEN_SLOTS,
    SIMPLE_KO,
    SIMS,
    SIMULATION,
    SITUATIONAL,
    STOP,
    run_simulations,
)
from engine.thought import Candidate, Thought
from engine.tree import (
    AVOIDED,
    BARRED,
    LOST,
    NODE_BYTES,
    RAVE_BITS,
    RAVE_MASK,
    RAVE_UNIT,
    VALUE_BITS,
    VALUE_MASK,
    VALUE_UNIT,
    WON,
    Arena,
    Tree,
)
from knowledge.features import History
from knowledge.predictor import Predictor, load_predictor, shipped_predictor

_NO_LIMIT = 2**62
# How often the caller's thread looks after the search, in seconds.
_POLL = 0.01
_LINE = 20
_TRIES = 20
# A move may be decided by what the tree was kept with. Who owns the board, and the score, are known
# from new simulations alone, so there are so many in a search that ends early.
_LEAST_NEW = 192
_KO_RULES = {"simple": SIMPLE_KO, "positional": POSITIONAL, "situational": SITUATIONAL}
# How many deviations a lower bound keeps from the mean.
_DEVIATIONS = 2.0
_CHANCES = "chance_"


@dataclass(frozen=True)
class Limits:
    """When a search ends: simulations, or seconds, whichever comes first; 0 is no limit.

    `longest` is what it may take while the best move is in doubt.
    """

    sims: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    early_stop: bool = True


@dataclass(eq=False)
class _Worker:
    """What one thread writes to."""

    simulation: np.ndarray
    work: np.ndarray
    play: np.ndarray
    prior: Prior


@dataclass
class _Place:
    """Which position of which game the tree's root is."""

    size: int
    komi: float
    rules: object
    events: list[object] = field(default_factory=list)
    color: int = BLACK


def predictor_for(settings: Settings, size: int) -> Predictor | None:
    """The model that the settings name; None for no knowledge."""
    kind = settings.text("knowledge", size)
    if kind == "none":
        return None
    path = settings.text("weights", size)
    return load_predictor(path) if path else shipped_predictor(kind, size)


def valued_for(settings: Settings, size: int) -> Predictor | None:
    """The model whose values make the games of selection `prior`, if it is another one."""
    kind = settings.text("prior_model", size)
    if kind == "same" or settings.text("selection", size) != "prior":
        return None
    return shipped_predictor(kind, size)


def policy_for(settings: Settings, size: int, to_the_end: bool = False) -> Policy:
    """The playout policy that the settings describe, or the same without mercy."""
    name, floor = settings.text("playouts", size), settings.number("shape_floor", size)
    base = named_policy(name, size, floor)
    chances = {name: settings.number(_CHANCES + name, size) for name in base.chances}
    mercy = base.mercy if settings.flag("mercy", size) and not to_the_end else 0
    return Policy(base.name, base.gammas, chances, mercy)


class Search:
    """A tree and the threads that grow it. One search runs at a time."""

    def __init__(
        self, settings: Settings, memory: int | None = None, *, to_the_end: bool = False
    ) -> None:
        """With the settings' memory, or so many megabytes. `to_the_end` plays lopsided games out
        too, where mercy would leave dead stones standing."""
        self.settings = settings
        self._memory = memory
        self._to_the_end = to_the_end
        self._made_from: object = None
        self._place: _Place | None = None
        self._control = np.zeros(CONTROL_WORDS, np.uint64)
        self._root = np.zeros(1, ROOT)
        self._tree: Tree | None = None
        self._workers: list[_Worker] = []
        self._knowledge: Knowledge | None = None
        self._policy_settings: np.ndarray | None = None
        self._interrupted = threading.Event()

    # --- Making what a search needs -----------------------------------------------------

    def _make(self, size: int, patience: float = math.inf) -> None:
        """Make what depends on the settings anew if they or the board size have changed. If the
        model is not there in time, this search goes without it, and the next one asks again."""
        settings = self.settings
        made_from = (settings.changed, size)
        if self._made_from == made_from:
            return
        self._place = None
        memory = (self._memory or settings.integer("memory", size)) << 20
        if self._tree is None or self._tree.memory != memory:
            self._tree = None  # before the new one is made, or both would need their memory
            self._tree = Tree(memory)
        knowledge = self._await_knowledge(size, patience)
        self._made_from = None if knowledge is None else made_from
        self._knowledge = knowledge or NoKnowledge()
        policy = policy_for(settings, size, self._to_the_end)
        self._policy_settings = policy.settings()
        function = PLAYOUT_ROUTINES[policy.name].address()
        seed = settings.integer("seed", size) or time.time_ns()
        self._workers = [
            self._new_worker(function, seed * 1_000_003 + i)
            for i in range(settings.integer("threads", size))
        ]
        self._write_guide(size)

    def _await_knowledge(self, size: int, patience: float) -> Knowledge | None:
        """What the search asks about moves; None if it is interrupted, or out of patience, before
        that is loaded. Then the loading goes on in its thread."""
        loading: Future[Knowledge] = Future()

        def load() -> None:
            try:
                predictor = predictor_for(self.settings, size)
                loading.set_result(knowledge_of(predictor, valued_for(self.settings, size)))
            except BaseException as error:
                loading.set_exception(error)

        threading.Thread(target=load, name="knowledge", daemon=True).start()
        deadline = time.perf_counter() + patience
        while not loading.done():
            if self._interrupted.is_set() or time.perf_counter() > deadline:
                return None
            wait([loading], _POLL)
        return loading.result()

    def _new_worker(self, function: int, seed: int) -> _Worker:
        simulation, work, play = np.zeros(1, SIMULATION), np.zeros(1, WORK), np.zeros(1, PLAY)
        assert self._policy_settings is not None
        assert self._knowledge is not None
        board = address_of(simulation) + SIMULATION.fields["board"][1]  # type: ignore[index]
        moment = address_of(simulation) + SIMULATION.fields["moment"][1]  # type: ignore[index]
        play["function"], play["board"] = function, board
        play["work"], play["settings"] = address_of(work), address_of(self._policy_settings)
        play["rng"] = seed % 2**64
        return _Worker(simulation, work, play, self._knowledge.new_prior(board, moment))

    def _write_guide(self, size: int) -> None:
        """Hand the settings of the walk over to the kernels."""
        number = self.settings.number
        root = self._root[0]
        selection = self.settings.text("selection", size)
        widening = selection == "widening"
        root["score_weight"] = number("score_weight", size)
        root["expand_at"] = size * size if widening else number("expand_at", size)
        early = root["expand_at"] if widening else number("expand_early", size)
        root["expand_early"] = min(early, root["expand_at"])
        root["rave_early"] = number("rave_early", size)
        root["criticality"] = number("criticality", size)
        root["prior_games"] = number("prior_games", size)
        root["prior_wins"] = number("prior_wins", size)
        guide = root["guide"]
        guide["selection"] = SELECTIONS.index(selection)
        guide["root_form"] = self.settings.text("puct_form", size) == "root"
        guide["rosin_form"] = self.settings.text("additive_form", size) == "rosin"
        for name in (
            "c_puct", "puct_bonus", "cutoff", "additive_weight", "exploration", "futile_penalty",
        ):  # fmt: skip
            guide[name] = number(name, size)
        guide["rave_share"] = 1.0 / number("rave_equivalence", size)
        guide["rave_on"] = self.settings.flag("rave", size)
        guide["games"], guide["start"] = number("even_prior", size), number("first_play", size)
        guide["widening_base"] = number("widening_base", size)
        guide["widening_growth"] = number("widening_growth", size)

    # --- The root -----------------------------------------------------------------------

    def _set_root(self, game: Game, color: int, komi_shift: float, avoid: Iterable[int]) -> None:
        """Make a position the root, and keep what the tree knows of it."""
        assert self._tree is not None
        if not (self.settings.flag("reuse", game.size) and self._follow(game, color)):
            self._tree.clear()
        self._place = _Place(game.size, game.komi, game.rules, list(game.events), color)
        root = self._root[0]
        root["board"] = game.position.record[0]
        root["moment"] = History.of(game).record()[0]
        root["color"] = color
        last = game.events[-1] if game.events else None
        root["passed"] = isinstance(last, Move) and last.point == PASS
        root["true_komi"] = area_komi(game, color)
        root["komi"] = root["true_komi"] + komi_shift
        root["ko_rule"] = _KO_RULES[game.rules.ko]
        root["is_shared"] = len(self._workers) > 1
        self._write_seen(game)
        for worker in self._workers:
            rng = worker.play["rng"].copy()
            worker.simulation[:] = np.zeros(1, SIMULATION)
            worker.play["rng"] = rng
        self._bar(set(avoid))

    def _follow(self, game: Game, color: int) -> bool:
        """Whether the game went on from the root by moves in turn; then the tree follows."""
        place = self._place
        if place is None or (place.size, place.komi, place.rules) != (
            game.size, game.komi, game.rules,
        ):  # fmt: skip
            return False
        known = len(place.events)
        if list(game.events[:known]) != place.events:
            return False
        turn = place.color
        for event in game.events[known:]:
            if not isinstance(event, Move) or event.color != turn:
                return False
            turn = opponent(turn)
        if turn != color:
            return False
        assert self._tree is not None
        return self._tree.descend([event.point for event in game.events[known:]])  # type: ignore[union-attr]

    def _write_seen(self, game: Game) -> None:
        """Hand over the positions that may not come back. Of a very long game, the latest."""
        seen = self._root[0]["seen"]
        seen[:] = 0
        keys = game.seen_keys()[-SEEN_SLOTS // 2 :]
        for key in keys:
            i = (key >> 20) & (SEEN_SLOTS - 1)
            while seen[i] and int(seen[i]) != key:
                i = (i + 1) & (SEEN_SLOTS - 1)
            seen[i] = key

    def _bar(self, avoid: set[int]) -> None:
        """Bar some moves at the root, and no others."""
        arena = self._arena()
        arena.state[0] &= ~(WON | LOST)
        children = self._children()
        arena.state[children] &= ~AVOIDED
        self._avoid = avoid
        if avoid and not len(children):
            self._run_until(1)
            children = self._children()
        for child in children:
            if int(arena.move[child]) in avoid:
                arena.state[child] |= AVOIDED

    # --- Thinking -----------------------------------------------------------------------

    def think(
        self,
        game: Game,
        color: int,
        limits: Limits,
        on_report: Callable[[Thought], None] | None = None,
        interval: float = 0.0,
        komi_shift: float = 0.0,
        avoid: Iterable[int] = (),
    ) -> Thought:
        """Search a position. The reports come from the calling thread."""
        started = time.perf_counter()
        self._interrupted.clear()
        # Where a clock runs, half of the move's time is for the search.
        self._make(game.size, limits.longest / 2 or math.inf)
        self._begin(0)
        self._set_root(game, color, komi_shift, avoid)
        self._begin(limits.sims or _NO_LIMIT)
        self._root["early_stop"] = _LEAST_NEW if limits.early_stop and limits.sims > 0 else 0
        ended = self._watch(game, color, limits, started, on_report, interval)
        if self._made_from is None:
            self._find_moves()
        return self._thought(game, color, time.perf_counter() - started, ended)

    def stop(self) -> None:
        """End the search from any thread: it returns within some milliseconds."""
        self._interrupted.set()
        self._control[STOP] = 1

    def _begin(self, limit: int) -> None:
        control = self._control
        control[:] = 0
        control[LIMIT] = limit
        assert self._tree is not None
        control[NODES] = self._tree.used

    def _run_until(self, sims: int) -> None:
        """Run some simulations on the calling thread."""
        self._begin(sims)
        self._run(self._workers[0])
        self._tree.used = self._nodes()  # type: ignore[union-attr]

    def _find_moves(self) -> None:
        """Nobody can say anything of moves before the model is there but the search, so it must
        have seen some, even if it is told to stop over and over."""
        for _ in range(_TRIES):
            if len(self._children()):
                return
            self._run_until(int(self._root[0]["expand_at"]) + 1)

    def _run(self, worker: _Worker) -> None:
        run_simulations(
            self._arena(), self._control, self._root, worker.simulation, worker.play, worker.work,
            worker.prior.record,
        )  # fmt: skip

    def _watch(
        self,
        game: Game,
        color: int,
        limits: Limits,
        started: float,
        on_report: Callable[[Thought], None] | None,
        interval: float,
    ) -> str:
        """Let the threads run until a limit, and say which it was."""
        next_report = started + interval
        while True:
            threads = [
                threading.Thread(target=self._run, args=(worker,), name=f"search-{i}", daemon=True)
                for i, worker in enumerate(self._workers)
            ]
            for thread in threads:
                thread.start()
            ended = ""
            while any(thread.is_alive() for thread in threads):
                threads[0].join(_POLL)
                now = time.perf_counter()
                ended = ended or self._limit_reached(limits, now - started)
                if ended:
                    self._control[STOP] = 1
                elif on_report is not None and interval and now >= next_report:
                    on_report(self._thought(game, color, now - started, ""))
                    next_report = max(next_report + interval, now)
            self._tree.used = self._nodes()  # type: ignore[union-attr]
            if self._interrupted.is_set():
                return "interrupted"
            if ended or self._control[FULL] == 0:
                return ended or ("decided" if self._control[DECIDED] else "sims")
            self._collect()

    def _collect(self) -> None:
        """The arena is full: keep what was visited often, and go on."""
        assert self._tree is not None
        before = self._tree.used
        self._tree.collect()
        self._control[NODES], self._control[FULL] = self._tree.used, 0
        say(f"The tree's memory is full: {before:,} nodes became {self._tree.used:,}.")

    def _limit_reached(self, limits: Limits, seconds: float) -> str:
        """Why a search that runs by the clock should end now, or nothing."""
        if self._interrupted.is_set():
            return "interrupted"
        if limits.seconds <= 0:
            return ""
        longest = max(limits.longest, limits.seconds)
        if seconds >= longest:
            return "time"
        visits, values, state = self._root_children()
        if not len(visits):
            return ""
        # Moves that can't be chosen have no say, however often they were visited.
        is_open = state & (BARRED | LOST) == 0
        may_stop = limits.early_stop and int(self._control[SIMS]) >= _LEAST_NEW
        if may_stop and ((state[is_open] & WON).any() or not is_open.any()):
            return "proven"
        if is_open.any():
            visits, values = visits[is_open], values[is_open]
        order = np.argsort(visits)
        best = int(order[-1])
        second = int(visits[order[-2]]) if len(visits) > 1 else 0
        if seconds >= limits.seconds and self._is_stable(visits, values, best, second):
            return "time"
        if may_stop and seconds > 0.1 * limits.seconds:
            rate = int(self._control[SIMS]) / seconds
            remaining = max(0.0, limits.seconds - seconds) * rate
            if visits[best] > second + remaining:
                return "decided"
        return ""

    @staticmethod
    def _is_stable(visits: np.ndarray, values: np.ndarray, best: int, second: int) -> bool:
        """Whether the most visited move is clearly that, and also the best by value."""
        often = visits >= 0.1 * visits[best]
        return bool(visits[best] > 2.5 * second or values[best] >= values[often].max() - 0.005)

    # --- What was found -----------------------------------------------------------------

    def _nodes(self) -> int:
        """How many nodes there are: the threads count on when there is no more room."""
        assert self._tree is not None
        return min(int(self._control[NODES]), self._tree.capacity)

    def _arena(self) -> Arena:
        assert self._tree is not None
        return self._tree.arena

    def _children(self, node: int = 0) -> np.ndarray:
        arena = self._arena()
        first = int(arena.first[node])
        return np.arange(first, first + int(arena.count[node])) if first else np.arange(0)

    def _root_children(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Visits, values and states of the root's moves."""
        children = self._children()
        arena = self._arena()
        stats = arena.stats[children]
        visits = (stats >> VALUE_BITS).astype(np.int64)
        values = (stats & VALUE_MASK) / (np.maximum(visits, 1) * VALUE_UNIT)
        return visits, values, arena.state[children]

    def _line(self, node: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The moves from a node on that were visited most, and how often."""
        arena = self._arena()
        moves: list[int] = []
        visits: list[int] = []
        while len(moves) < _LINE:
            count = int(arena.stats[node]) >> int(VALUE_BITS)
            if moves and not count:
                break
            moves.append(int(arena.move[node]))
            visits.append(count)
            children = self._children(node)
            if not len(children):
                break
            node = int(children[np.argmax(arena.stats[children] >> VALUE_BITS)])
        return tuple(moves), tuple(visits)

    def _candidates(self) -> tuple[Candidate, ...]:
        arena = self._arena()
        found = []
        for child in self._children():
            state, stats, rave = (int(a[child]) for a in (arena.state, arena.stats, arena.rave))
            visits = stats >> int(VALUE_BITS)
            if state & int(BARRED) or not visits:
                continue
            value = (stats & int(VALUE_MASK)) / (visits * VALUE_UNIT)
            spread = (max(value * (1 - value), 0.02) / visits) ** 0.5
            rave_visits = (rave >> int(RAVE_BITS)) / RAVE_UNIT
            line, line_visits = self._line(int(child))
            found.append(
                Candidate(
                    point=int(arena.move[child]),
                    visits=visits,
                    value=value,
                    lower=value - _DEVIATIONS * spread,
                    prior=float(arena.prior[child]),
                    rave_visits=rave_visits,
                    rave_value=(rave & int(RAVE_MASK)) / RAVE_UNIT / max(rave_visits, 1e-9),
                    line=line,
                    proven=bool(state & int(WON)) - bool(state & int(LOST)),
                    line_visits=line_visits,
                )
            )
        found.sort(key=lambda c: (-c.proven, -c.visits, -c.value, -c.prior))
        return tuple(found)

    def _thought(self, game: Game, color: int, seconds: float, ended: str) -> Thought:
        sums = [worker.simulation[0] for worker in self._workers]
        results = max(1, sum(int(s["results"]) for s in sums))
        lead = sum(float(s["score"]) for s in sums) / results
        squares = sum(float(s["score_squares"]) for s in sums) / results
        balance = sum(int(s["balance"]) for s in sums) / results
        playouts = max(1, sum(int(s["playouts"]) for s in sums))
        owned = sum(s["owned"].astype(np.float64) for s in sums) / playouts
        by_winner = sum(s["owned_by_winner"].astype(np.float64) for s in sums) / playouts
        critical = by_winner - owned * balance
        histogram = sum(s["histogram"] for s in sums)
        stats = int(self._arena().stats[0])
        visits = stats >> int(VALUE_BITS)
        opponents = (stats & int(VALUE_MASK)) / (max(visits, 1) * VALUE_UNIT)
        sign = 1 if color == BLACK else -1
        points = game.position.points()
        nodes = self._nodes()
        return Thought(
            color=color,
            sims=int(self._control[SIMS]),
            visits=visits,
            seconds=seconds,
            value=1.0 - opponents if visits else 0.5,
            score=sign * (lead - float(self._root[0]["true_komi"])),
            score_deviation=max(0.0, squares - lead * lead) ** 0.5,
            candidates=self._candidates(),
            owners={p: float(owned[p]) for p in points},
            criticality={p: float(critical[p]) for p in points},
            histogram={int(i) - AREA: int(histogram[i]) for i in np.flatnonzero(histogram)},
            nodes=nodes,
            bytes=nodes * NODE_BYTES,
            ended=ended,
        )

    def work_shares(self) -> dict[str, float]:
        """Which part of the threads' time went to playouts, knowledge and the tree."""
        sums = [worker.simulation[0] for worker in self._workers]
        total = max(1, sum(int(s["cycles"]) for s in sums))
        playouts = sum(int(s["playout_cycles"]) for s in sums) / total
        knowledge = sum(int(s["prior_cycles"]) for s in sums) / total
        return {
            "playouts": playouts,
            "knowledge": knowledge,
            "tree": max(0.0, 1.0 - playouts - knowledge),
        }


def area_komi(game: Game, color: int) -> float:
    """The lead in area that Black must pass to win, by the game's rules.

    A territory count and an area count differ by how many more stones Black has played; what is
    still to come is half a stone for the side to move.
    """
    rules = game.rules
    if rules.scoring == "area" or rules.pass_stones:
        return game.komi + rules.bonus(game.handicap)
    record = game.position
    black = len(record.stones(BLACK)) + record.prisoners(WHITE)
    white = len(record.stones(WHITE)) + record.prisoners(BLACK)
    return game.komi + black - white + (0.5 if color == BLACK else -0.5)
