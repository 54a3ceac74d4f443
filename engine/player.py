"""One thinking player: asks the search for as long as the clock allows, and picks from what it
found.

It resigns when the game has been lost for some moves, passes when nothing is left to play for
and the count is won, captures dead stones first where the rules or the server ask for it, and
at lower levels plays like a weaker human: by the model of moves, with little or no search.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.endgame import Status, judge, sign
from engine.ending import EndSearch
from engine.game import Game, Move
from engine.geometry import BLACK, PASS, WHITE
from engine.handicap import handicap_stones
from engine.margin import safe_lead, with_true_values
from engine.parameters import Settings
from engine.passing import (
    dead_to_capture,
    removes_dead,
    safe_to_pass,
    score_if_passed,
    settled,
    wins_by_passing,
)
from engine.search import Limits, Search, predictor_for
from engine.tactics.atari import effect
from engine.thought import Candidate, Thought
from knowledge.factors import Ranked
from knowledge.predictor import Predictor, shipped_predictor

if TYPE_CHECKING:
    from engine.clock import Clock

RESIGN = -1
Report = Callable[[Thought], None]

# How the levels below the highest play: so many simulations, or none at all, and then moves are
# drawn from the model, its probabilities raised to this power.
_LEVEL_SIMS = {4: 60, 5: 120, 6: 250, 7: 500, 8: 1200, 9: 4000}
_LEVEL_POWER = {1: 0.6, 2: 0.9, 3: 1.4}
# Moves that the model finds this unlikely are no human's.
_LEAST_LIKELY = 0.01
# Where no clock runs, the end of a game may take so many seconds more.
_NO_HURRY = 2.0
# No resignation before so many moves for each point of the board, and in handicap games later.
_FIRST_RESIGNATION = 0.1
_FIRST_HANDICAP_RESIGNATION = 50  # moves, on small boards too
# What a handicap stone is worth, in points, and when the shifted komi is back: moves by point.
_HANDICAP_POINTS, _SHIFT_ENDS = 7.0, 0.55
# Below this value there is nothing to hope for; and so many of the board's points may be open
# when it is worth looking whether the game is over.
_HOPELESS, _OPEN_POINTS = 0.05, 0.15
_OPEN_OWNER = 0.5
# With the lower bound as the choice, moves with fewer visits than this share are not looked at.
_LCB_SHARE = 0.1


class Decision(NamedTuple):
    """A point, PASS or RESIGN, and the search behind it, if there was one."""

    point: int
    thought: Thought | None


class Player:
    """Chooses moves by the settings, which may change at any time. `stop` may come from any
    thread; everything else from one at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.last_thought: Thought | None = None
        self._seen_from: list[object] = []  # the game when that began
        self._margin = 0.0  # the lead it was to keep
        self._search = Search(settings)
        self._ending = EndSearch(settings)
        # At which moves the game looked lost to each colour, without a better look since.
        self._lost_at: dict[int, set[int]] = {BLACK: set(), WHITE: set()}
        self._ponderer: threading.Thread | None = None
        self._random = random.Random(settings.integer("seed") or None)

    # --- Choosing a move ----------------------------------------------------------------

    def choose(
        self,
        game: Game,
        color: int,
        clock: Clock | None = None,
        *,
        cleanup: bool = False,
        on_report: Report | None = None,
        interval: float = 0.0,
        avoid: Collection[int] = (),
    ) -> Decision:
        """A move for a color, which is not played. With `cleanup`, dead enemy stones are taken
        off the board before it passes. Who names moves to avoid wants the best of the others, not
        the end of the game."""
        self._stop_pondering()
        level = self.settings.integer("level", game.size)
        if level in _LEVEL_POWER and not cleanup and not avoid:
            return self._choose_by_model(game, color, _LEVEL_POWER[level])
        limits = self._start_move(game, color, clock, level)
        if cleanup:
            cleaning = self._ending.cleaning_move(game, color)
            if cleaning is not None:
                return Decision(cleaning, None)
            limits = self._start_move(game, color, clock, level)
        thought = self._think(game, color, limits, on_report, interval, avoid)
        best = self._best(thought)
        if best is None:
            return Decision(self._only_move(game, color), thought)
        if avoid:
            return Decision(best.point, thought)
        return Decision(self._decide(game, color, thought, best, cleanup), thought)

    def _think(
        self,
        game: Game,
        color: int,
        limits: Limits,
        on_report: Report | None,
        interval: float,
        avoid: Collection[int],
    ) -> Thought:
        """Search for a move, with the komi shifted where that helps."""
        shift = self._komi_shift(game, color)
        margin = 0.0 if shift else self._safe_lead(game, color)
        self._margin = margin
        honest = with_true_values if margin else lambda thought: thought
        report = None if on_report is None else lambda thought: on_report(honest(thought))
        komi_shift = shift + sign(color) * margin
        thought = self._search.think(game, color, limits, report, interval, komi_shift, avoid)
        self.last_thought = honest(thought)
        self._seen_from = list(game.events)
        if on_report is not None:
            on_report(self.last_thought)
        return self.last_thought

    def _decide(
        self, game: Game, color: int, thought: Thought, best: Candidate, cleanup: bool
    ) -> int:
        """The move after a search: its best, unless the game is over in one way or another."""
        if self._is_lost(game, color, best) and not cleanup:
            return RESIGN
        move = self._best_or_pass(game, color, thought, best)
        if move != PASS:
            return move
        must_clean = cleanup or self.settings.flag("cleanup", game.size)
        if removes_dead(game) and not must_clean:
            return self._pass_or_play_out(game, color)
        # All stones count from here on, the dead ones too.
        wins = sign(color) * game.score() > 0
        cleaning = self._ending.cleaning_move(game, color) if must_clean or not wins else None
        if cleaning is not None:
            return cleaning
        return best.point if not wins and self._can_win(thought) else PASS

    def _pass_or_play_out(self, game: Game, color: int) -> int:
        """A pass, or a move that takes off dead stones which somebody might call alive."""
        if not self._ending.is_contested(game, color):
            return PASS
        cleaning = self._ending.cleaning_move(game, color)
        return PASS if cleaning is None else cleaning

    def _best_or_pass(self, game: Game, color: int, thought: Thought, best: Candidate) -> int:
        """The best move of a search, or a pass if nothing but dead stones is left."""
        if best.point != PASS and not _is_nearly_over(game, thought):
            return best.point
        status = judge(game.position, thought.owners)
        if self._may_pass(game, color, status, thought):
            return _taken_at_once(game, color, status)
        if best.point == PASS and not wins_by_passing(game, color, status):
            # It looks won because the opponent's dead stones, or ours, still stand.
            others = [c for c in thought.candidates if c.point != PASS and c.proven >= 0]
            if others:
                return others[0].point
        return best.point

    def _may_pass(self, game: Game, color: int, status: Status, thought: Thought) -> bool:
        """Whether nothing is left to play for, dead stones aside."""
        over = _passed_last(game)
        dame = game.rules.scoring == "area" and not over
        quiet = settled(game.position, status, thought.owners, dame=dame)
        if (
            (quiet or over)
            and safe_to_pass(game, color, status, thought.owners, agreed=True)
            and self._ending.still_won(game, color, status)
        ):
            return True
        return quiet and not self._can_win(thought)

    def _can_win(self, thought: Thought) -> bool:
        """Whether the search still saw a chance."""
        return any(c.value > _HOPELESS for c in thought.candidates)

    def _best(self, thought: Thought) -> Candidate | None:
        """The first choice: most visits, or the best lower bound among those with many."""
        if not thought.candidates:
            return None
        first = thought.candidates[0]
        if first.proven > 0 or self.settings.text("choice") == "visits":
            return first
        most = max(c.visits for c in thought.candidates)
        often = [c for c in thought.candidates if c.visits >= _LCB_SHARE * most and c.proven >= 0]
        return max(often or [first], key=lambda c: c.lower)

    def _only_move(self, game: Game, color: int) -> int:
        """Nothing was searched, so the model's first legal choice must do."""
        predictor = predictor_for(self.settings, game.size)
        if predictor is None:
            return PASS
        ranked = predictor.rank(game, color)
        for i in np.argsort(-ranked.probabilities):
            p = int(ranked.points[i])
            if p == PASS or (
                game.why_illegal(color, p) is None and not game.position.is_eye(color, p)
            ):
                return p
        return PASS

    def _start_move(self, game: Game, color: int, clock: Clock | None, level: int) -> Limits:
        """The limits of a search from now on, and with them when the move must be made."""
        limits = self._limits(game, color, clock, level)
        longest = max(limits.longest, limits.seconds)
        if clock is None or not clock.settings.limited:
            longest += _NO_HURRY if longest else math.inf
        self._ending.deadline = time.monotonic() + longest
        return limits

    def _limits(self, game: Game, color: int, clock: Clock | None, level: int) -> Limits:
        """How long to think: simulations, the clock, or the seconds of the settings."""
        size, settings = game.size, self.settings
        sims = _LEVEL_SIMS.get(level, 0)
        wanted = settings.integer("sims", size)
        sims = min(sims, wanted) if sims and wanted else sims or wanted
        early = settings.flag("early_stop", size)
        if clock is not None and clock.settings.limited:
            plan = clock.plan(color, size, len(game.moves), settings.number("lag", size))
            longest = min(plan.longest, plan.desired * settings.number("unstable_factor", size))
            return Limits(sims, max(plan.desired, 0.001), longest, early)
        if sims:
            # Nobody waits for a clock: who asks for so many simulations gets them all.
            return Limits(sims, 0.0, 0.0, early_stop=False)
        return Limits(0, settings.number("seconds", size), 0.0, early)

    # --- Levels -------------------------------------------------------------------------

    def _choose_by_model(self, game: Game, color: int, power: float) -> Decision:
        """Draw a move from the model as a weaker player would choose it."""
        if _passed_last(game):
            status = self.status(game)
            if safe_to_pass(game, color, status, status.owners):
                return Decision(PASS, None)
        kind = self.settings.text("knowledge", game.size)
        ranked = self.raw("fbt" if kind == "none" else kind, game, color)
        points, weights = [], []
        for p, probability in zip(ranked.points, ranked.probabilities, strict=True):
            legal = p == PASS or (
                game.why_illegal(color, int(p)) is None and not game.position.is_eye(color, int(p))
            )
            if legal and probability >= _LEAST_LIKELY:
                points.append(int(p))
                weights.append(float(probability) ** power)
        if not points:
            return Decision(self._only_move(game, color), None)
        return Decision(self._random.choices(points, weights)[0], None)

    # --- Resigning and handicap ---------------------------------------------------------

    def _is_lost(self, game: Game, color: int, best: Candidate) -> bool:
        """Whether the game has been lost for some moves in a row. Looking at a position again is
        no further move."""
        threshold = self.settings.number("resign", game.size)
        area = game.size * game.size
        first = _FIRST_RESIGNATION * area
        if handicap_stones(game):
            first = max(3 * first, handicap_stones(game) + _FIRST_HANDICAP_RESIGNATION)
        number = len(game.moves)
        if best.value >= threshold or number < first or threshold <= 0:
            self._lost_at[color].clear()
            return False
        wanted = self.settings.integer("resign_moves", game.size)
        # What was lost long ago, or in another game, is not in a row with this move.
        row = range(number - 2 * wanted + 1, number)
        lost = self._lost_at[color] = {n for n in self._lost_at[color] if n in row} | {number}
        return len(lost) >= wanted

    def _safe_lead(self, game: Game, color: int) -> float:
        """The lead that the last own search of this game was almost sure of, or the one before it
        if that was over too soon."""
        share, thought = self.settings.number("margin_risk", game.size), self.last_thought
        known = len(self._seen_from)
        if not share or thought is None or thought.color != color:
            return 0.0
        if len(game.events) != known + 2 or list(game.events[:known]) != self._seen_from:
            return 0.0
        found = safe_lead(thought, share)
        return self._margin if found is None else found

    def _komi_shift(self, game: Game, color: int) -> float:
        """In a handicap game the stronger side would think it has lost, and play anything: so it
        counts with a komi that comes back to the true one as the game goes on."""
        stones = handicap_stones(game)
        if stones < 2 or not self.settings.flag("dynamic_komi", game.size):
            return 0.0
        ends = _SHIFT_ENDS * game.size * game.size
        left = max(0.0, 1.0 - len(game.moves) / ends)
        scale = min(1.0, game.size * game.size / 361)
        return _HANDICAP_POINTS * stones * scale * left

    # --- Analysis and pondering ---------------------------------------------------------

    def analyze(
        self,
        game: Game,
        color: int,
        on_report: Report,
        interval: float,
        *,
        avoid: Collection[int] = (),
    ) -> Thought:
        """Think until `stop`; at least one report."""
        self._stop_pondering()
        limits = Limits(early_stop=False)
        thought = self._search.think(game, color, limits, on_report, interval, avoid=avoid)
        self.last_thought, self._seen_from = thought, list(game.events)
        on_report(thought)
        return thought

    def stop(self) -> None:
        """End what it is thinking about, from any thread; that returns within some ms."""
        self._search.stop()
        self._ending.stop()

    def ponder(self, game: Game) -> None:
        """Think in the opponent's time, in the background, until the next request."""
        self._stop_pondering()
        position = game.replayed()
        self._ponderer = threading.Thread(
            target=self._search.think,
            args=(position, position.to_move, Limits(early_stop=False)),
            name="ponder",
            daemon=True,
        )
        self._ponderer.start()

    def _stop_pondering(self) -> None:
        while self._ponderer is not None and self._ponderer.is_alive():
            self._search.stop()
            self._ponderer.join(0.01)
        self._ponderer = None

    def close(self) -> None:
        """End all threads."""
        self._search.stop()
        self._stop_pondering()

    # --- What else it knows -------------------------------------------------------------

    def status(self, game: Game) -> Status:
        """Which stones are alive, dead or in seki, from searches of its own: either side begins
        one, so that nobody's next move decides."""
        self._stop_pondering()
        self._ending.deadline = math.inf
        return self._ending.judged(game).status

    def final_score(self, game: Game) -> float:
        """Black's score minus White's, komi included, without the dead stones."""
        return score_if_passed(game, self.status(game), agreed=True)

    def raw(self, kind: str, game: Game, color: int) -> Ranked:
        """What a model says of all moves: fbt, lfr, mm or spt."""
        return self._predictor(kind, game.size).rank(game, color)

    def _predictor(self, kind: str, size: int) -> Predictor:
        if kind == self.settings.text("knowledge", size):
            found = predictor_for(self.settings, size)
            if found is not None:
                return found
        return shipped_predictor(kind, size)

    def work_shares(self) -> dict[str, float]:
        """Which part of the last search's time went to playouts, knowledge and the tree."""
        return self._search.work_shares()


def _passed_last(game: Game) -> bool:
    last = game.events[-1] if game.events else None
    return isinstance(last, Move) and last.point == PASS


def _taken_at_once(game: Game, color: int, status: Status) -> int:
    """The capture of dead stones in atari, else a pass. By area it costs nothing to take them, and
    then nobody has to agree that they were dead. If the opponent has passed, there is no need."""
    if game.rules.scoring == "area" and not _passed_last(game):
        capture = dead_to_capture(game, color, status)
        if capture is not None and effect(game.position, color, capture.point).captured:
            return capture.point
    return PASS


def _is_nearly_over(game: Game, thought: Thought) -> bool:
    """Whether so much is decided that it is worth looking whether all is."""
    if _passed_last(game):
        return True
    is_open = sum(abs(owner) < _OPEN_OWNER for owner in thought.owners.values())
    return is_open <= _OPEN_POINTS * game.size * game.size
