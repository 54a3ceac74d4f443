"""Matches between players in this process, and against GNU Go: who is stronger.

Colours alternate from game to game; with a handicap the first player is Black in all. A game
ends when both pass, at a move limit, or when a flat player gives up. The final position is
counted by area; where GNU Go plays, it is asked for the count, because it knows which stones are
dead.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from engine.flat import FlatPlayer
from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, opponent
from engine.handicap import fixed_points
from engine.rules import RULES
from engine.vertex import color_text, parse_vertex, vertex_text

# A flat player resigns when so few of its best move's playouts win, late enough in the game.
RESIGN_BELOW = 0.02


class Player(Protocol):
    """Whoever can play a whole game."""

    name: str

    def new_game(self, size: int, komi: float, handicap: int) -> None: ...
    def move(self, game: Game, color: int) -> int | None:
        """A legal move, or None to resign."""

    def told(self, color: int, p: int) -> None:
        """The opponent has moved."""

    def count(self) -> float | None:
        """The score of the finished game if this player can be trusted with it."""


class FlatOpponent:
    """A flat Monte-Carlo player at the board."""

    def __init__(self, name: str, player: FlatPlayer) -> None:
        self.name = name
        self._player = player

    def new_game(self, size: int, komi: float, handicap: int) -> None:
        pass

    def move(self, game: Game, color: int) -> int | None:
        choice = self._player.consider(game, color)
        late = len(game.moves) > game.size * game.size // 3
        if choice.point != PASS and late and choice.winrate < RESIGN_BELOW:
            return None
        return choice.point

    def told(self, color: int, p: int) -> None:
        pass

    def count(self) -> float | None:
        return None


class GnuGoMissing(RuntimeError):
    """GNU Go is not installed."""


class GnuGo:
    """GNU Go over GTP."""

    def __init__(self, level: int, seed: int = 1) -> None:
        path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
        program = shutil.which("gnugo", path=path)
        if program is None:
            raise GnuGoMissing("GNU Go is not installed (Debian's package is named gnugo)")
        self.name = f"gnugo:{level}"
        options = ["--mode", "gtp", "--chinese-rules", "--level", str(level), "--seed", str(seed)]
        self._process = subprocess.Popen(
            [program, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def _ask(self, command: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines: list[str] = []
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError(f"GNU Go ended at {command!r}")
            if not line.strip():
                if lines:
                    break
                continue
            lines.append(line.rstrip("\n"))
        if not lines[0].startswith("="):
            raise RuntimeError(f"GNU Go refused {command!r}: {lines[0]}")
        return lines[0][1:].strip()

    def new_game(self, size: int, komi: float, handicap: int) -> None:
        for command in (f"boardsize {size}", "clear_board", f"komi {komi}"):
            self._ask(command)
        if handicap:
            self._ask(f"fixed_handicap {handicap}")

    def move(self, game: Game, color: int) -> int | None:
        reply = self._ask(f"genmove {color_text(color)}")
        return None if reply.lower() == "resign" else parse_vertex(reply, game.size)

    def told(self, color: int, p: int) -> None:
        self._ask(f"play {color_text(color)} {vertex_text(p)}")

    def count(self) -> float | None:
        reply = self._ask("final_score")
        if reply.startswith(("B+", "W+")):
            return float(reply[2:]) * (1 if reply[0] == "B" else -1)
        return 0.0

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()


class Played(NamedTuple):
    """One game: how it ended for Black, and why."""

    black: str
    score: float
    moves: int
    by: str


def play_game(black: Player, white: Player, size: int, komi: float, handicap: int = 0) -> Played:
    """Play a game to the end; the score is Black's lead, or a large number for a resignation."""
    game = Game(size, komi, RULES["chinese"])
    players = {BLACK: black, WHITE: white}
    for player in (black, white):
        player.new_game(size, komi, handicap)
    if handicap:
        game.place_handicap(fixed_points(size, handicap))
    color = game.to_move
    while not game.is_over() and len(game.moves) < 3 * size * size:
        p = players[color].move(game, color)
        if p is None or game.why_illegal(color, p) is not None:
            reason = "resignation" if p is None else f"illegal move {vertex_text(p)}"
            lost = -1000.0 if color == BLACK else 1000.0
            return Played(black.name, lost, len(game.moves), reason)
        game.play(color, p)
        players[opponent(color)].told(color, p)
        color = opponent(color)
    counts = [count for count in (black.count(), white.count()) if count is not None]
    return Played(black.name, counts[0] if counts else game.score(), len(game.moves), "count")


class Tally(NamedTuple):
    """A match so far, from the first player's side."""

    games: int
    wins: float

    @property
    def share(self) -> float:
        return self.wins / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share of wins (Wilson's)."""
        n, p, z = max(self.games, 1), self.share, 1.96
        middle = p + z * z / (2 * n)
        spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


def play_match(
    first: Player, second: Player, games: int, size: int, komi: float,
    after_game: Callable[[Played], None] | None = None, handicap: int = 0,
) -> Iterator[Tally]:  # fmt: skip
    """Play games and yield the tally after each.

    Colours alternate, but with a handicap the first player is always Black and takes the stones.
    """
    wins = 0.0
    for i in range(games):
        black, white = (first, second) if i % 2 == 0 or handicap else (second, first)
        played = play_game(black, white, size, komi, handicap)
        if after_game:
            after_game(played)
        black_wins = 0.5 if played.score == 0 else float(played.score > 0)
        wins += black_wins if black is first else 1 - black_wins
        yield Tally(i + 1, wins)
