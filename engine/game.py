"""A game of Go: the position with its history, and every rule that needs the history.

The history is a list of events, moves and setups; the position is what comes of playing them.
Undo replays them from the start, which takes microseconds and keeps memory small: a move is
two numbers and a hash.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.board import WHITE_TO_MOVE
from engine.geometry import BLACK, EMPTY, OFF, PASS, WHITE, opponent
from engine.position import Position
from engine.rules import RULES, Rules
from engine.scoring import score_game


class IllegalMove(ValueError):
    """A move that the rules forbid; the text says why."""


class CannotUndo(ValueError):
    """There is nothing that may be taken back."""


class Move(NamedTuple):
    """A stone, or a pass."""

    color: int
    point: int


class SetUp(NamedTuple):
    """Stones put down or taken off by hand: an SGF setup, or handicap stones."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    empty: tuple[int, ...]
    to_move: int
    handicap: bool = False


class Game:
    """A game under given rules. Either colour may move at any time, as GTP wants it."""

    def __init__(self, size: int = 19, komi: float = 7.5, rules: Rules = RULES["chinese"]) -> None:
        self.komi = komi
        self.rules = rules
        self.position = Position(size)
        self.events: list[Move | SetUp] = []
        self.to_move = BLACK  # whose turn it is when colours alternate
        # A dict for its order: the search may have room for the latest only.
        self._seen = dict.fromkeys([self._key(self.position.hash, BLACK)])

    # --- What is so --------------------------------------------------------------------

    @property
    def size(self) -> int:
        return self.position.size

    @property
    def moves(self) -> list[Move]:
        """The stones and passes played, in order."""
        return [event for event in self.events if isinstance(event, Move)]

    @property
    def handicap(self) -> int:
        """The number of handicap stones."""
        first = self.events[0] if self.events else None
        return len(first.black) if isinstance(first, SetUp) and first.handicap else 0

    def is_over(self) -> bool:
        """Whether the last two moves were passes."""
        return len(self.events) >= 2 and all(
            isinstance(event, Move) and event.point == PASS for event in self.events[-2:]
        )

    def why_illegal(self, color: int, p: int) -> str | None:
        """What forbids a move, or None if it is legal."""
        if p == PASS:
            return None
        found = self.position.color_at(p)
        if found == OFF:
            return "off the board"
        if found != EMPTY:
            return "occupied"
        if not self.position.is_legal(color, p, self.rules.suicide):
            return "ko" if p == self.position.ko(color) else "suicide"
        if self._repeats(color, p):
            return "superko"
        return None

    def legal_points(self, color: int) -> list[int]:
        """The points where a colour may play, sorted; pass is always legal and not listed."""
        points = self.position.legal_points(color, self.rules.suicide)
        return [p for p in points if not self._repeats(color, p)]

    def score(self, dead: Iterable[int] = (), seki: Iterable[int] = ()) -> float:
        """Black's score minus White's by the rules, with komi and handicap."""
        return score_game(self, dead, seki)

    def seen_keys(self) -> list[int]:
        """What may not come back, as words for the search: see `simulation.position_key`."""
        white = int(WHITE_TO_MOVE)
        return [(hash_ ^ white if mover == WHITE else hash_) | 1 for hash_, mover in self._seen]

    # --- What changes it ---------------------------------------------------------------

    def play(self, color: int, p: int) -> None:
        """Play a stone or pass. IllegalMove leaves the game as it was."""
        reason = self.why_illegal(color, p)
        if reason:
            raise IllegalMove(reason)
        self._apply(Move(color, p))

    def set_up(
        self,
        black: Iterable[int] = (),
        white: Iterable[int] = (),
        empty: Iterable[int] = (),
        to_move: int | None = None,
    ) -> None:
        """Put stones down and take stones off. ValueError leaves the game as it was."""
        self._apply(SetUp(tuple(black), tuple(white), tuple(empty), to_move or self.to_move))

    def place_handicap(self, points: Iterable[int]) -> None:
        """Give Black these stones before the first move; White moves next."""
        if self.position.stones(BLACK) or self.position.stones(WHITE):
            raise ValueError("board not empty")
        event = SetUp(tuple(points), (), (), WHITE, handicap=True)
        if not event.black:
            raise ValueError("no handicap stones")
        # Passes before the handicap would hide it from whoever looks at the first event.
        self._restart([event])

    def undo(self) -> None:
        """Take back the last event. Handicap stones stay."""
        if not self.events:
            raise CannotUndo("nothing to undo")
        last = self.events[-1]
        if isinstance(last, SetUp) and last.handicap:
            raise CannotUndo("handicap stones stay")
        self._restart(self.events[:-1])

    def replayed(self, events: int | None = None, rules: Rules | None = None) -> Game:
        """A game of its own: the first events of this one, maybe under other rules."""
        result = Game(self.size, self.komi, rules or self.rules)
        for event in self.events[:events]:
            result._apply(event)
        return result

    # --- History -----------------------------------------------------------------------

    def _key(self, position_hash: int, to_move: int) -> tuple[int, int]:
        """What may not occur twice: the position, or the position with the side to move."""
        return (position_hash, to_move if self.rules.ko == "situational" else 0)

    def _repeats(self, color: int, p: int) -> bool:
        if self.rules.ko == "simple":
            return False
        after = self.position.hash_after(color, p)
        return self._key(after, opponent(color)) in self._seen

    def _apply(self, event: Move | SetUp) -> None:
        """Add an event that is known to be legal, maybe under rules that were changed since."""
        if isinstance(event, Move):
            self.position.play(event.color, event.point, suicide=True)
            self.to_move = opponent(event.color)
        else:
            self.position = self._set_up_position(event)
            self.to_move = event.to_move
        self.events.append(event)
        self._seen[self._key(self.position.hash, self.to_move)] = None

    def _set_up_position(self, event: SetUp) -> Position:
        listed = [*event.black, *event.white, *event.empty]
        if len(set(listed)) != len(listed):
            raise ValueError("a point is set up twice")
        changed = set(listed)
        black = [p for p in self.position.stones(BLACK) if p not in changed]
        white = [p for p in self.position.stones(WHITE) if p not in changed]
        result = Position.from_stones(self.size, [*black, *event.black], [*white, *event.white])
        for color in (BLACK, WHITE):
            result.set_prisoners(color, self.position.prisoners(color))
        return result

    def _restart(self, events: list[Move | SetUp]) -> None:
        """Play a list of events from the empty board; if one fails, nothing has changed."""
        fresh = Game(self.size, self.komi, self.rules)
        for event in events:
            fresh._apply(event)
        self.__dict__.update(fresh.__dict__)
