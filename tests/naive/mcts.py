"""A tree search that anybody can check by reading: the twin of `engine/simulation.py`.

Nodes are objects, one simulation after the other walks down, and nothing is packed or shared.
What the engine computes in single precision is computed in single precision here too, in the
same order, so that both must take the same way at every node. Moves are pairs of row and column,
None is a pass. Playouts and knowledge are functions that are handed in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from tests.naive import board as naive
from tests.naive.board import BLACK, EMPTY, NaiveGame
from tests.naive.scoring import area

f32 = np.float32
At = tuple[int, int] | None
ZERO, TINY = f32(0.0), f32(1e-6)
# Values are added up in whole units, as the engine packs them.
VALUE_UNITS, RAVE_UNITS = 256, 32


@dataclass
class Plan:
    """The settings of a search, by their names in `engine/parameters.py`."""

    selection: str = "puct"
    puct_form: str = "log"
    additive_form: str = "fuego"
    c_puct: float = 0.5
    puct_bonus: float = 0.0
    cutoff: float = 0.001
    prior_games: float = 7.0
    prior_wins: float = 100.0
    additive_weight: float = 0.03
    widening_base: float = 40.0
    widening_growth: float = 1.4
    exploration: float = 0.0
    rave: bool = True
    rave_equivalence: float = 1500.0
    rave_early: float = 2.0
    even_prior: float = 5.0
    first_play: float = 0.5
    expand_early: int = 4
    expand_at: int = 4
    criticality: float = 0.0
    score_weight: float = 0.02


@dataclass(eq=False)
class Node:
    """A move, and what is known of it. Values are those of the side that made it."""

    move: At
    prior: np.float32 = ZERO
    games: np.float32 = ZERO
    start: np.float32 = ZERO
    visits: int = 0
    value: int = 0
    rave_visits: int = 0
    rave_value: int = 0
    children: list[Node] | None = None
    won: bool = False
    lost: bool = False
    illegal: bool = False
    legal: bool = False


@dataclass
class Known:
    """What knowledge says of a position: the moves, how likely they are, and their values."""

    moves: list[At]
    probabilities: list[np.float32]
    scores: list[np.float32] = field(default_factory=list)
    signed: bool = False


Knowledge = Callable[[np.ndarray, int, list[At], list[At]], Known]
Playout = Callable[[NaiveGame, int, list[At]], list[At]]


def in_order(values: Iterable[float]) -> float:
    """A plain sum: that of newer Pythons rounds less."""
    total = 0.0
    for value in values:
        total += value
    return total


def no_knowledge(grid: np.ndarray, color: int, legal: list[At], history: list[At]) -> Known:
    """All moves are alike."""
    return Known(legal, [f32(1)] * len(legal))


class NaiveSearch:
    """A search from the last position of a game."""

    def __init__(
        self,
        plan: Plan,
        game: NaiveGame,
        color: int,
        komi: float,
        history: list[At],
        playout: Playout,
        knowledge: Knowledge = no_knowledge,
    ) -> None:
        self.plan, self.game, self.color, self.komi = plan, game, color, komi
        self.history = history  # the moves of the game, passes among them
        self.playout, self.knowledge = playout, knowledge
        self.root = Node(None)
        # What playouts and other results say: who won them (1 is Black, -1 is White), and for
        # each playout every point's owner beside its winner.
        self.winners: list[int] = []
        self.playouts: list[tuple[dict[At, int], int]] = []

    def run(self, sims: int) -> Node:
        """Run some simulations; one that meets a repetition is run again."""
        for _ in range(sims):
            while not self._simulate():
                pass
        return self.root

    # --- One simulation -----------------------------------------------------------------

    def _simulate(self) -> bool:
        game = NaiveGame(self.game.grid.shape[0], self.game.ko_rule, suicide=False)
        game.grid, game.ko = self.game.grid, self.game.ko
        # Whoever moves out of turn may not come back to where that was either.
        game.history = [*self.game.history, (game.grid.tobytes(), self.color)]
        line, color = [self.root], self.color
        moves: list[At] = []
        played: list[At] = []
        self.root.visits += 1
        late = self.plan.expand_at
        early = late if self.plan.selection == "widening" else min(self.plan.expand_early, late)
        patience = early + (late - early) * min(self.root.visits, 4000) // 4000
        while True:
            node = line[-1]
            history = self.history + moves
            if moves and (node.won or node.lost):
                black_wins = node.won == (color != BLACK)
                value = 1.0 if black_wins else 0.0
                self._prove(line)
                break
            if node.children is None and (not moves or node.visits > patience):
                node.children = self._new_children(game, color, history)
            child = self._select(node) if node.children is not None else None
            if child is None:
                played = self.playout(game, color, history)
                owners = owners_beside(game.grid)
                lead = sum(owners.values())
                value = self._value(lead)
                self.winners.append(self._winner(lead))
                self.playouts.append((owners, self.winners[-1]))
                break
            if not child.legal and game.why_illegal(color, child.move) == "superko":
                child.illegal = True
                for seen in line:
                    seen.visits -= 1
                return False
            child.legal = True
            child.visits += 1
            game.play(color, child.move)
            line.append(child)
            moves.append(child.move)
            color = 3 - color
            if child.move is None and history[-1:] == [None]:
                value = self._two_passes(game.grid, child, 3 - color)
                self._prove(line)
                break
        self._back_up(line, value)
        if self.plan.rave:
            self._back_up_rave(line, moves + played, value)
        return True

    # --- New nodes ----------------------------------------------------------------------

    def _new_children(self, game: NaiveGame, color: int, history: list[At]) -> list[Node]:
        size = game.grid.shape[0]
        legal: list[At] = [
            (row, column)
            for row in range(size)
            for column in range(size)
            if naive.is_legal(game.grid, game.ko, row, column, color, False)
        ]
        known = self.knowledge(game.grid, color, [*legal, None], history)
        kept = [
            i
            for i, at in enumerate(known.moves)
            if at is None or not naive.is_eye(game.grid, *at, color)
        ]
        likely = known.probabilities
        if self.plan.criticality:
            likely = [p * self._favour(at) for at, p in zip(known.moves, likely, strict=True)]
        total = in_order(float(likely[i]) for i in kept)
        scale = f32(1.0 / max(total, 1e-12))
        children = [Node(known.moves[i], likely[i] * scale) for i in kept]
        if self.plan.selection == "prior":
            scores = [float(known.scores[i]) for i in kept] if known.signed else None
            self._set_prior_games(children, scores)
        elif self.plan.selection == "wins":
            self._set_prior_wins(children)
        # Sorting is stable: the earlier one of two that are alike stays in front.
        return sorted(children, key=lambda child: -child.prior)

    def _favour(self, at: At) -> np.float32:
        """By how much a move is likelier because its point's owner tends to win."""
        if at is None:
            return f32(1)
        balance = sum(self.winners) / max(len(self.winners), 1)
        together = sum(owners.get(at, 0) * winner for owners, winner in self.playouts)
        alone = sum(owners.get(at, 0) for owners, _ in self.playouts)
        scale = self.plan.criticality / (len(self.playouts) + 200.0)
        return f32(math.exp(scale * (together - alone * balance)))

    def _set_prior_games(self, children: list[Node], scores: list[float] | None) -> None:
        n = len(children)
        exact = scores or [math.log(max(float(child.prior), 1e-9) * n) for child in children]
        total = in_order(abs(v) for v in exact)
        if total < 1e-5 * n:
            for child in children:
                child.games, child.start = f32(self.plan.prior_games), f32(0.5)
            return
        largest, smallest = max(1e-9, *exact), min(-1e-9, *exact)
        for child, v in zip(children, exact, strict=True):
            v = float(f32(v))
            child.games = f32(self.plan.prior_games * n / total * abs(v))
            child.start = f32(0.5 * (1 + v / largest) if v >= 0 else 0.5 * (1 - v / smallest))

    def _set_prior_wins(self, children: list[Node]) -> None:
        even, start = float(f32(self.plan.even_prior)), float(f32(self.plan.first_play))
        for child in children:
            wins = self.plan.prior_wins * math.sqrt(float(child.prior))
            child.games = f32(even + wins)
            child.start = f32((even * start + wins) / max(even + wins, 1e-9))

    # --- Which child --------------------------------------------------------------------

    def _select(self, node: Node) -> Node | None:
        assert node.children is not None
        seen = node.children
        if self.plan.selection == "widening":
            seen = seen[: self._widened(node.visits)]
        best = self._best(node, seen)
        if best is None or best.lost:
            best = self._best(node, node.children)
        return best

    def _best(self, node: Node, children: list[Node]) -> Node | None:
        best, highest = None, f32(-1e9)
        for child in children:
            if child.illegal:
                continue
            value = self.child_value(node, child)
            if child.won:
                value = f32(1e9)
            elif child.lost:
                value += f32(-1e6)
            if value > highest:
                best, highest = child, value
        return best

    def _widened(self, visits: int) -> int:
        """How many moves are looked at: t(0) = 0, t(n + 1) = t(n) + base growth^n."""
        base, growth = float(f32(self.plan.widening_base)), float(f32(self.plan.widening_growth))
        count, threshold, step = 1, base, base
        while threshold <= visits and count < 1000:
            count += 1
            step *= growth
            threshold += step
        return count

    def child_value(self, node: Node, child: Node) -> np.float32:
        """What selection compares."""
        plan, visits, n = self.plan, float(node.visits), f32(child.visits)
        p = max(child.prior, f32(plan.cutoff))
        value = self._mixed_value(child)
        one, weight = f32(1), f32(plan.additive_weight)
        if plan.selection == "puct" and plan.puct_form == "root":
            value += f32(plan.c_puct) * f32(math.sqrt(visits)) * p / (one + n)
        elif plan.selection == "puct":
            scale = f32(plan.c_puct) * f32(math.sqrt(math.log(visits)))
            value += scale * p / np.sqrt(one + n)
        elif plan.selection in ("prior", "wins") and plan.puct_bonus:
            scale = f32(plan.puct_bonus) * f32(math.sqrt(math.log(visits)))
            value += scale * p / np.sqrt(one + n)
        elif plan.selection == "additive" and plan.additive_form == "fuego":
            value -= weight * f32(math.sqrt(5.0 / (visits + 5.0))) / np.sqrt(p)
        elif plan.selection == "additive":
            share = one if visits < 2 else f32(math.sqrt(math.log(visits) / visits))
            penalty = weight * f32(2) / p * share
            if child.visits:
                value += np.sqrt(f32(1.5) * f32(math.log(visits)) / n) - penalty
            else:
                value = one - penalty
        if plan.exploration:
            value += f32(plan.exploration) * np.sqrt(f32(math.log(visits)) / (n + one))
        return value

    def _mixed_value(self, child: Node) -> np.float32:
        plan = self.plan
        by_prior = plan.selection in ("prior", "wins")
        games = child.games if by_prior else f32(plan.even_prior)
        start = child.start if by_prior else f32(plan.first_play)
        games = games + TINY
        n = f32(child.visits) + games
        own = (f32(child.value) * f32(1 / VALUE_UNITS) + games * start) / n
        if not plan.rave:
            return own
        r = f32(child.rave_visits) * f32(1 / RAVE_UNITS)
        others = f32(child.rave_value) * f32(1 / RAVE_UNITS) / (r + TINY)
        share = r / (r + n + n * r * f32(1.0 / plan.rave_equivalence))
        return own + share * (others - own)

    # --- The result, and back up --------------------------------------------------------

    def _value(self, lead: int) -> float:
        """What a lead is worth to Black."""
        margin = lead - self.komi
        won = 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5
        by_margin = 0.5 + 0.5 * margin / (abs(margin) + 0.1 * self.game.grid.size)
        return won + self.plan.score_weight * (by_margin - won)

    def _winner(self, lead: int) -> int:
        return (lead > self.komi) - (lead < self.komi)

    def _two_passes(self, grid: np.ndarray, last: Node, mover: int) -> float:
        names = ("empty", "black", "white")
        lead = area({at: names[color] for at, color in np.ndenumerate(grid)}, [])
        self.winners.append(self._winner(lead))
        if lead != self.komi:
            black_wins = lead > self.komi
            last.won = black_wins == (mover == BLACK)
            last.lost = not last.won
        return self._value(lead)

    @staticmethod
    def _prove(line: list[Node]) -> None:
        for parent, node in zip(line[-2::-1], line[:0:-1], strict=True):
            if node.won:
                parent.lost = True
            elif node.lost and all(child.lost or child.illegal for child in parent.children or ()):
                parent.won = True
            else:
                return

    def _back_up(self, line: list[Node], value: float) -> None:
        for depth, node in enumerate(line):
            mover = self.color if depth % 2 else 3 - self.color
            worth = value if mover == BLACK else 1.0 - value
            node.value += int(worth * VALUE_UNITS + 0.5)

    def _back_up_rave(self, line: list[Node], moves: list[At], value: float) -> None:
        total = len(moves)
        for depth, node in enumerate(line):
            mover = 3 - self.color if depth % 2 else self.color
            worth = value if mover == BLACK else 1.0 - value
            slope = (self.plan.rave_early - 1.0) / max(total - depth, 1)
            when: dict[At, int] = {}
            for i in range(depth, total):
                when.setdefault(moves[i], i)
            for child in node.children or ():
                i = when.get(child.move, depth + 1)
                # Every other move from here on is the mover's own.
                if child.move is None or (i - depth) % 2:
                    continue
                units = int((self.plan.rave_early - slope * (i - depth)) * RAVE_UNITS + 0.5)
                child.rave_visits += units
                child.rave_value += int(worth * units + 0.5)


def owners_beside(grid: np.ndarray) -> dict[At, int]:
    """Who owns a point at the end of a playout, 1 for Black, -1 for White: the stone's colour, or
    that of the neighbours if they are of one colour only. Nobody's points are left out."""
    owners: dict[At, int] = {}
    for (row, column), color in np.ndenumerate(grid):
        colors = {color}
        if color == EMPTY:
            around = [(row + up, column + right) for up, right in naive.NEIGHBOURS]
            colors = {grid[at] for at in around if naive.on_board(grid, *at)} - {EMPTY}
        if len(colors) == 1:
            owners[row, column] = 1 if colors == {BLACK} else -1
    return owners
