"""One game, from the first move to the result. Whoever breaks the rules of a match loses it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from engine.game import Game
from engine.geometry import BLACK, WHITE, opponent
from engine.handicap import fixed_points
from engine.match.contestants import RESIGN, Contestant
from engine.match.gtp_client import EngineFault
from engine.match.openings import play_opening
from engine.match.referee import CallReferee, Opinion, count_game, score_by, winner_of
from engine.match.terms import DRAW, FIRST, SECOND, GameItem, Terms
from engine.match.timing import MatchClock
from engine.rules import RULES, result_text
from engine.sgf import dump_game
from engine.vertex import parse_vertex

SeatOf = Callable[[str], Contestant]  # who plays, by `first` or `second`; may start a program
_SEED_STEP = 1_000


class Ended(NamedTuple):
    """How a game ended: the winner's colour or 0, the result as records write it, and why."""

    winner: int
    result: str
    reason: str


class Lost(Exception):
    """A colour has lost before the count."""

    def __init__(self, color: int, how: str, reason: str) -> None:
        super().__init__(reason)
        winner = opponent(color)
        self.faulty = color if how == "F" else 0
        self.ended = Ended(winner, f"{'B' if winner == BLACK else 'W'}+{how}", reason)


class Table:
    """A game being played: the board, the clock, and what to remember of both players."""

    def __init__(
        self, terms: Terms, item: GameItem, seat_of: SeatOf, call_referee: CallReferee
    ) -> None:
        self.terms, self.item = terms, item
        self.who = {
            BLACK: FIRST if item.first_is_black else SECOND,
            WHITE: SECOND if item.first_is_black else FIRST,
        }
        self.game = Game(terms.size, terms.komi, RULES[terms.rules])
        if terms.handicap:
            self.game.place_handicap(fixed_points(terms.size, terms.handicap))
        play_opening(self.game, item.opening)
        self.clock = MatchClock(terms.clock)
        self.seconds = {FIRST: 0.0, SECOND: 0.0}
        self.comments: dict[int, str] = {}
        self.opinions: dict[str, str | None] = {}  # how each player counted, at the end
        self._last_turn: dict[int, int] = {}  # the number of each colour's last move
        self._seat_of, self._call_referee = seat_of, call_referee
        self._players: dict[int, Contestant] = {}
        self._cpu: dict[str, float | None] = {}

    @contextmanager
    def _blaming(self, color: int) -> Iterator[None]:
        """Whatever goes wrong in here is this colour's fault."""
        try:
            yield
        except EngineFault as fault:
            raise Lost(color, "F", f"{self.name_of(color)} {fault}") from None

    def name_of(self, color: int) -> str:
        return self.terms.first.name if self.who[color] == FIRST else self.terms.second.name

    def play(self) -> Ended:
        """Play to the end."""
        for color in (BLACK, WHITE):
            with self._blaming(color):
                player = self._players[color] = self._seat_of(self.who[color])
                player.new_game(self.game, self.clock, self._seed(color))
                self._cpu[self.who[color]] = player.cpu_seconds()
        color = self.game.to_move
        while not self.game.is_over() and len(self.game.moves) < self.terms.most_moves:
            self._turn(color)
            color = opponent(color)
        return self._count()

    def _count(self) -> Ended:
        """Ask both players, which may still be a fault of theirs, and count."""
        said = []
        for color in (BLACK, WHITE):
            with self._blaming(color):
                found = score_by(self._players[color], self.game)
            self.opinions[self.who[color]] = None if found is None else result_text(found)
            said.append(Opinion(self.name_of(color), found))
        terms = self.terms
        all_flat = terms.first.is_flat and terms.second.is_flat  # then dead stones are off
        call_referee = self._call_referee if terms.referee and not all_flat else None
        score, how = count_game(self.game, said, call_referee)
        if not self.game.is_over():
            how = f"move limit, {how}"
        return Ended(winner_of(score), result_text(score), how)

    def _turn(self, color: int) -> None:
        player = self._players[color]
        self._remember(color)
        self._last_turn[color] = len(self.game.moves) + 1
        started = time.perf_counter()
        with self._blaming(color):
            answer = player.move(self.game, color, self.clock)
        seconds = time.perf_counter() - started
        self.seconds[self.who[color]] += seconds
        if not self.clock.charge(color, seconds):
            raise Lost(color, "T", f"{self.name_of(color)} overstepped its time")
        if answer.lower() == RESIGN:
            raise Lost(color, "R", "resignation")
        p = self._legal(color, answer)
        self.game.play(color, p)
        with self._blaming(opponent(color)):
            self._players[opponent(color)].told(color, p)

    def _legal(self, color: int, answer: str) -> int:
        """The point of an answer that the rules allow."""
        try:
            p = parse_vertex(answer, self.game.size)
        except ValueError as error:
            reason = f"{self.name_of(color)} played {answer[:40]!r}: {error}"
            raise Lost(color, "F", reason) from None
        why = self.game.why_illegal(color, p)
        if why is not None:
            raise Lost(color, "F", f"{self.name_of(color)} played {answer} illegally: {why}")
        return p

    def _remember(self, color: int) -> None:
        """Keep what a colour said about its last move; some say it after the move."""
        turn = self._last_turn.get(color)
        if turn is not None and (thoughts := self._players[color].thoughts()):
            self.comments[turn] = thoughts

    def remember_all(self) -> None:
        """The game is over: keep what was said last."""
        for color in self._players:
            self._remember(color)

    def _seed(self, color: int) -> int:
        """Another seed for each game and each player, the same whenever the game is repeated."""
        return (self.terms.seed * _SEED_STEP + self.item.number) * 2 + (self.who[color] == SECOND)

    def cpu(self) -> dict[str, float | None]:
        """Processor seconds of both players in this game, as far as the system tells."""
        used: dict[str, float | None] = {}
        for color, player in self._players.items():
            before, now = self._cpu.get(self.who[color]), player.cpu_seconds()
            if before is not None and now is not None:
                used[self.who[color]] = round(now - before, 2)
            else:
                used[self.who[color]] = None
        return used


def _fingerprint(game: Game) -> str:
    """The same for games with the same moves, to find those that add nothing new."""
    text = " ".join(f"{move.color}{move.point}" for move in game.moves)
    return hashlib.blake2b(text.encode("ascii"), digest_size=6).hexdigest()


def play_game(
    terms: Terms, item: GameItem, seat_of: SeatOf, call_referee: CallReferee
) -> dict[str, Any]:
    """Play a game; its line in the results with its record as `sgf` and who must leave."""
    table = Table(terms, item, seat_of, call_referee)
    faulty = 0
    try:
        ended = table.play()
    except Lost as lost:
        ended, faulty = lost.ended, lost.faulty
    table.remember_all()
    names = {color: table.name_of(color) for color in (BLACK, WHITE)}
    number = len(table.game.moves)
    comments = {n: text for n, text in table.comments.items() if n <= number}
    # What a move was thought to be that was never played, and why the game ended, come last.
    last = "\n".join(filter(None, (table.comments.get(number + 1), ended.reason)))
    comments[number] = "\n".join(filter(None, (comments.get(number), last)))
    sgf = dump_game(table.game, names[BLACK], names[WHITE], ended.result, comments)
    return {
        "game": item.number,
        "black": table.who[BLACK],
        "winner": table.who[ended.winner] if ended.winner else DRAW,
        "result": ended.result,
        "reason": ended.reason,
        "fault": table.who[faulty] if faulty else None,
        "moves": number,
        "line": _fingerprint(table.game),
        "opening": list(item.opening),
        "seconds": {who: round(seconds, 2) for who, seconds in table.seconds.items()},
        "cpu": table.cpu(),
        "counts": table.opinions,
        "sgf": sgf.decode("utf-8"),
    }
