"""What a GTP engine remembers between commands: the game, the komi, and who chooses moves.

The game needs kernels, which are still being loaded when the first commands arrive. So it is
made when a command first asks for it; the size, the komi and clearing the board don't.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.gtp.registry import GtpError
from engine.rules import RULES, Rules
from engine.warmup import Kernels, KernelsUnavailable

if TYPE_CHECKING:
    from engine.game import Game
    from engine.player import RandomPlayer


class Session:
    """One conversation with a client. `kernels` must have been started."""

    def __init__(
        self,
        kernels: Kernels,
        size: int = 19,
        komi: float = 7.5,
        rules: Rules = RULES["chinese"],
        seed: int | None = None,
    ) -> None:
        self.finished = False
        self._kernels = kernels
        self._size = size
        self._komi = komi
        self._rules = rules
        self._seed = seed
        self._game: Game | None = None
        self._player: RandomPlayer | None = None

    @property
    def size(self) -> int:
        return self._size

    @property
    def game(self) -> Game:
        """The game, which waits for the kernels."""
        if self._game is None:
            self._wait()
            from engine.game import Game

            self._game = Game(self._size, self._komi, self._rules)
        return self._game

    @property
    def player(self) -> RandomPlayer:
        """Who chooses the moves; the same one for all games, so that no two are alike."""
        if self._player is None:
            self._wait()
            from engine.player import RandomPlayer

            self._player = RandomPlayer(self._seed)
        return self._player

    def new_game(self, size: int | None = None) -> None:
        """Start again on an empty board, of another size if one is given; the komi stays."""
        self._size = self._size if size is None else size
        self._game = None

    def set_komi(self, komi: float) -> None:
        """Change the komi of this game and the next ones."""
        self._komi = komi
        if self._game is not None:
            self._game.komi = komi

    def _wait(self) -> None:
        try:
            self._kernels.wait()
        except KernelsUnavailable as error:
            raise GtpError(str(error)) from None
