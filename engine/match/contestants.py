"""Those who sit at the board: a GTP program, or a flat player in this very process."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection
from typing import Protocol

from engine.flat import FlatPlayer
from engine.game import Game
from engine.geometry import PASS
from engine.handicap import fixed_points
from engine.match.cores import pin
from engine.match.gtp_client import EngineFault, GtpClient, GtpRefusal
from engine.match.players import Entrant
from engine.match.timing import GRACE, MatchClock
from engine.playout.policy import named_policy
from engine.vertex import color_text, parse_vertex, vertex_text

RESIGN = "resign"
# A flat player resigns when so few of its best move's playouts win, late enough in the game.
RESIGN_BELOW = 0.02
LONGEST_THOUGHT = 2000  # characters that a move's comment may have
COMPILE_PATIENCE = 1200.0  # seconds
COUNT_PATIENCE = 60.0  # to find the dead stones is more than an answer without thinking
_ANALYSIS_INTERVAL = 20  # centiseconds


class Contestant(Protocol):
    """Whoever can play a whole game. EngineFault from any of these loses it."""

    entrant: Entrant  # between two games another that it can become may be put here

    def new_game(self, game: Game, clock: MatchClock, seed: int) -> None:
        """Sit down at a game: an empty board, or one with handicap stones and an opening."""

    def move(self, game: Game, color: int, clock: MatchClock) -> str:
        """A vertex, `pass` or `resign`."""

    def told(self, color: int, p: int) -> None:
        """The opponent has moved."""

    def dead(self, game: Game) -> tuple[list[int], list[int]] | None:
        """Stones that are dead and those in seki at the end; None if it can't tell."""

    def thoughts(self) -> str:
        """What it has said since it was last asked this."""

    def cpu_seconds(self) -> float | None: ...

    def close(self) -> None: ...


class GtpContestant:
    """A GTP program at the board. `patience` seconds are for answers that need no thinking."""

    def __init__(
        self, entrant: Entrant, cores: Collection[int] | None, patience: float, analyze: bool
    ) -> None:
        self.entrant = entrant
        self._patience = patience
        self._client = GtpClient(entrant.command, cores)
        self._analyze = analyze
        self._said: list[str] = []
        self._awake = False

    def _ask(self, command: str) -> str:
        return self._client.ask(command, self._patience)

    def _must(self, command: str) -> str:
        try:
            return self._ask(command)
        except GtpRefusal as error:
            raise EngineFault(f"refused {command!r}: {str(error)[:80]}") from None

    def _may(self, name: str, *arguments: object) -> None:
        """Say what it may not want to know."""
        if self._client.knows(name, self._patience):
            try:
                self._ask(" ".join([name, *map(str, arguments)]))
            except GtpRefusal:
                return

    def _wake(self) -> None:
        """Let Miai compile its kernels before the first game: that may take minutes, once."""
        if not self._awake and self._client.knows("miai-search", self._patience):
            with contextlib.suppress(GtpRefusal):
                self._client.ask("reg_genmove black", max(self._patience, COMPILE_PATIENCE))
            self._may("clear_cache")  # what it has just thought is of no use in the game
        self._awake = True

    def new_game(self, game: Game, clock: MatchClock, seed: int) -> None:
        self._must(f"boardsize {game.size}")
        self._must("clear_board")
        self._wake()
        self._must(f"komi {game.komi:g}")
        self._may("kgs-rules", game.rules.name)
        self._may("set_random_seed", seed)  # GNU Go
        self._may("kata-set-param", "seed", seed)  # Miai
        for name, value in self.entrant.settings:
            self._must(f"kata-set-param {name} {value}")
        if clock.rule is not None:
            self._may(*clock.rule.gtp().split(maxsplit=1))
        if game.handicap:
            self._place_handicap(game)
        for move in game.moves:
            self.told(*move)
        self._client.words()

    def _place_handicap(self, game: Game) -> None:
        """Agree on where the handicap stones are."""
        points = [vertex_text(p) for p in fixed_points(game.size, game.handicap)]
        if not self._client.knows("fixed_handicap", self._patience):
            self._must(f"set_free_handicap {' '.join(points)}")
            return
        command = f"fixed_handicap {game.handicap}"
        answer = self._must(command)
        if sorted(answer.upper().split()) != sorted(points):
            raise EngineFault(f"answered {command!r} with other points: {answer[:60]!r}")

    def move(self, game: Game, color: int, clock: MatchClock) -> str:
        patience = self._patience
        if clock.rule is not None:
            seconds, stones = clock.left(color)
            self._may("time_left", color_text(color), int(seconds), stones)
            patience += seconds + (clock.rule.period if stones == 0 else 0.0) + GRACE
        analyzed = self._analyze and self._client.knows("lz-genmove_analyze", self._patience)
        command = f"lz-genmove_analyze {color_text(color)} {_ANALYSIS_INTERVAL}"
        command = command if analyzed else f"genmove {color_text(color)}"
        try:
            answer = self._client.ask(command, patience)
        except GtpRefusal as error:
            raise EngineFault(f"refused {command!r}: {str(error)[:80]}") from None
        if not analyzed:
            return answer
        lines = answer.splitlines()
        plays = [line[5:].strip() for line in lines if line.startswith("play ")]
        infos = [line for line in lines if line.startswith("info ")]
        if infos:
            self._said = [analysis_text(infos[-1])]
        if not plays:
            raise EngineFault(f"answered {command!r} without a move")
        return plays[-1]

    def told(self, color: int, p: int) -> None:
        self._must(f"play {color_text(color)} {vertex_text(p)}")

    def dead(self, game: Game) -> tuple[list[int], list[int]] | None:
        if not self._client.knows("final_status_list", self._patience):
            return None
        patience = max(self._patience, COUNT_PATIENCE)
        lists = []
        for status in ("dead", "seki"):
            try:
                words = self._client.ask(f"final_status_list {status}", patience).split()
                lists.append([parse_vertex(word, game.size) for word in words])
            except (GtpRefusal, ValueError):
                return None
        return lists[0], lists[1]

    def thoughts(self) -> str:
        said, self._said = [*self._client.words(), *self._said], []
        return "\n".join(said).strip()[:LONGEST_THOUGHT]

    def cpu_seconds(self) -> float | None:
        return self._client.cpu_seconds()

    def close(self) -> None:
        self._client.close()


def analysis_text(info: str, moves: int = 3) -> str:
    """A line of lz-analyze in words: the best moves with what was found out about them."""
    said = []
    for part in info.split("info move ")[1 : moves + 1]:
        words = part.split()
        values = dict(zip(words[1::2], words[2::2], strict=False))
        text = words[0] if words else "?"
        if "visits" in values:
            text += f", {values['visits']} visits"
        if re.fullmatch(r"\d+(\.\d+)?", rate := values.get("winrate", "")):
            # Leela Zero counts in hundredths of a percent, others in parts of one.
            percent = float(rate) * 100 if "." in rate else float(rate) / 100
            text += f", wins {percent:.1f}%"
        if "scoreLead" in values:
            text += f", leads by {values['scoreLead']}"
        if "pv" in words:
            text += ": " + " ".join(words[words.index("pv") + 1 :][:12])
        said.append(text)
    return "\n".join(said)


class FlatContestant:
    """A flat Monte-Carlo player at the board. It pins this process; its bench undoes that."""

    def __init__(
        self, entrant: Entrant, size: int, playouts: int, cores: Collection[int] | None
    ) -> None:
        self.entrant = entrant
        pin(0, cores)
        self._policy = named_policy(entrant.policy, size)
        self._playouts = playouts
        self._player = FlatPlayer(self._policy, playouts)
        self._said = ""

    def new_game(self, game: Game, clock: MatchClock, seed: int) -> None:
        self._player = FlatPlayer(self._policy, self._playouts, seed)

    def move(self, game: Game, color: int, clock: MatchClock) -> str:
        choice = self._player.consider(game, color)
        self._said = f"wins {100 * choice.winrate:.1f}% of its playouts"
        late = len(game.moves) > game.size * game.size // 3
        if choice.point != PASS and late and choice.winrate < RESIGN_BELOW:
            return RESIGN
        return vertex_text(choice.point)

    def told(self, color: int, p: int) -> None:
        pass

    def dead(self, game: Game) -> tuple[list[int], list[int]] | None:
        return None

    def thoughts(self) -> str:
        return self._said

    def cpu_seconds(self) -> float | None:
        return None

    def close(self) -> None:
        pass


def sit_down(
    entrant: Entrant, size: int, playouts: int, cores: Collection[int] | None, patience: float,
    analyze: bool,
) -> Contestant:  # fmt: skip
    """Start a player."""
    if entrant.is_flat:
        return FlatContestant(entrant, size, playouts, cores)
    return GtpContestant(entrant, cores, patience, analyze)
