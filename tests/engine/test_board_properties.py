"""Any sequence of moves, undos and copies through the Python faces gives what the twin gives.

Hypothesis looks for a sequence that doesn't, and shrinks it: a failure is reported as a short
list of steps on a small board.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.game import CannotUndo, Game, IllegalMove
from engine.geometry import BLACK, EMPTY, OFF, PASS, WHITE, opponent, point, row_and_column
from engine.position import Position
from engine.rules import Rules
from tests.naive import board as naive

COLORS = st.sampled_from([BLACK, WHITE])
LONG = settings(max_examples=40, stateful_step_count=60, derandomize=True, deadline=None)


def grid_points(mask) -> list[int]:
    """The engine's points of the true entries of an array, sorted."""
    return [point(int(row), int(column)) for row, column in zip(*mask.nonzero(), strict=True)]


def check_position(position: Position, twin: naive.NaiveGame) -> None:
    """Assert that a position shows what the twin has, whichever way one asks."""
    grid = twin.grid
    assert position.stones(BLACK) == grid_points(grid == naive.BLACK)
    assert position.stones(WHITE) == grid_points(grid == naive.WHITE)
    assert position.empty_points() == grid_points(grid == naive.EMPTY)
    for color in (BLACK, WHITE):
        row, column, barred = twin.ko
        assert position.prisoners(color) == twin.prisoners[color]
        assert position.ko(color) == (point(row, column) if barred == color else PASS)
        for suicide in (False, True):
            legal = [
                p
                for p in position.points()
                if naive.is_legal(grid, twin.ko, *row_and_column(p), color, suicide)
            ]
            assert position.legal_points(color, suicide) == legal
    for p in position.points():
        at = row_and_column(p)
        assert position.neighbourhood(p) == naive.neighbourhood(grid, *at)
        if grid[at] != naive.EMPTY:
            stones, liberties = naive.chain_and_liberties(grid, *at)
            assert position.chain(p) == (grid_points(stones), grid_points(liberties))
        for color in (BLACK, WHITE):
            assert position.is_eye(color, p) == naive.is_eye(grid, *at, color)


class PositionMachine(RuleBasedStateMachine):
    """A `Position` and a twin that play the same moves."""

    @initialize(size=st.integers(2, 6))
    def start(self, size: int) -> None:
        self.position = Position(size)
        self.twin = naive.NaiveGame(size, "simple", suicide=True)
        self.hashes: dict[bytes, int] = {}

    @rule(color=COLORS, row=st.integers(0, 5), column=st.integers(0, 5), suicide=st.booleans())
    def play(self, color: int, row: int, column: int, suicide: bool) -> None:
        at = row % self.position.size, column % self.position.size
        p = point(*at)
        if not naive.is_legal(self.twin.grid, self.twin.ko, *at, color, suicide):
            with pytest.raises(ValueError, match="^illegal move$"):
                self.position.play(color, p, suicide)
            return
        before = self.twin.grid
        promised = self.position.hash_after(color, p)
        self.position.play(color, p, suicide)
        self.twin.play(color, at)
        assert self.position.hash == promised
        stood = before.copy()
        stood[at] = color
        gone = (stood != naive.EMPTY) & (self.twin.grid == naive.EMPTY)
        assert sorted(self.position.removed()) == grid_points(gone)

    @rule(color=COLORS)
    def pass_move(self, color: int) -> None:
        assert self.position.hash_after(color, PASS) == self.position.hash
        self.position.play(color, PASS)
        self.twin.play(color, None)
        assert self.position.removed() == []

    @rule(color=COLORS)
    def go_on_with_a_copy(self, color: int) -> None:
        """The original may do what it likes afterwards."""
        original, self.position = self.position, self.position.copy()
        for p in original.legal_points(color)[:3]:
            if original.is_legal(color, p):
                original.play(color, p)

    @rule()
    def set_up_again(self) -> None:
        """The same stones put down by hand are the same position, without the ko."""
        stones = self.position.stones(BLACK), self.position.stones(WHITE)
        position = Position.from_stones(self.position.size, *stones)
        assert position.hash == self.position.hash
        for p in stones[0] + stones[1]:
            assert position.chain(p) == self.position.chain(p)

    @invariant()
    def is_like_the_twin(self) -> None:
        check_position(self.position, self.twin)

    @invariant()
    def has_the_same_hash_only_if_it_is_the_same(self) -> None:
        key = self.twin.grid.tobytes()
        assert self.hashes.setdefault(key, self.position.hash) == self.position.hash
        assert len(set(self.hashes.values())) == len(self.hashes)


class GameMachine(RuleBasedStateMachine):
    """A `Game` and a twin under the same rules, with undo. The boards are small, so that
    positions come back and superko has something to say."""

    @initialize(
        size=st.integers(2, 4),
        ko_rule=st.sampled_from(["simple", "positional", "situational"]),
        suicide=st.booleans(),
    )
    def start(self, size: int, ko_rule: str, suicide: bool) -> None:
        self.game = Game(size, rules=Rules("", "area", ko_rule, suicide))
        self.twin = naive.NaiveGame(size, ko_rule, suicide)
        self.moves: list[tuple[int, int]] = []

    @rule(in_turn=st.sampled_from([True, True, True, False]), choice=st.integers(0, 15))
    def play(self, in_turn: bool, choice: int) -> None:
        """Play the nth legal point: most steps would be wasted on illegal ones."""
        color = self.game.to_move if in_turn else opponent(self.game.to_move)
        legal = self.game.legal_points(color)
        p = legal[choice % len(legal)] if legal else PASS
        self.game.play(color, p)
        self.twin.play(color, row_and_column(p) if p != PASS else None)
        self.moves.append((color, p))

    @rule(color=COLORS)
    def pass_move(self, color: int) -> None:
        self.game.play(color, PASS)
        self.twin.play(color, None)
        self.moves.append((color, PASS))

    @rule(times=st.integers(1, 4))
    def undo(self, times: int) -> None:
        for _ in range(times):
            if not self.moves:
                with pytest.raises(CannotUndo):
                    self.game.undo()
                return
            self.game.undo()
            self.twin.undo()
            self.moves.pop()

    @rule(color=COLORS, p=st.integers(-1, 200))
    def try_anything(self, color: int, p: int) -> None:
        """An illegal move raises and changes nothing: the invariant looks at the rest."""
        found = self.game.position.color_at(p)
        if p == PASS or (found == EMPTY and self.game.why_illegal(color, p) is None):
            return
        reason = "off the board"
        if found != OFF:
            reason = self.twin.why_illegal(color, row_and_column(p))
        with pytest.raises(IllegalMove, match=f"^{reason}$"):
            self.game.play(color, p)

    @invariant()
    def is_like_the_twin(self) -> None:
        check_position(self.game.position, self.twin)
        assert self.game.to_move == self.twin.to_move
        assert [tuple(move) for move in self.game.moves] == self.moves

    @invariant()
    def forbids_the_same(self) -> None:
        for color in (BLACK, WHITE):
            reasons = {
                p: self.twin.why_illegal(color, row_and_column(p))
                for p in self.game.position.points()
            }
            assert {p: self.game.why_illegal(color, p) for p in reasons} == reasons
            legal = [p for p, reason in reasons.items() if reason is None]
            assert self.game.legal_points(color) == legal


TestPosition = PositionMachine.TestCase
TestPosition.settings = LONG
TestGame = GameMachine.TestCase
TestGame.settings = LONG
