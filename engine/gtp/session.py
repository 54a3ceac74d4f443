"""What a GTP engine remembers between commands: the game, the clock, and who chooses moves.

The game needs kernels, which are still being loaded when the first commands arrive. So it is
made when a command first asks for it; the size, the komi and clearing the board don't.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from engine.gtp.attention import Attention
from engine.gtp.registry import GtpError
from engine.parameters import Settings
from engine.rules import RULES, Rules
from engine.warmup import Kernels, KernelsUnavailable

if TYPE_CHECKING:
    from engine.clock import Clock, TimeSettings
    from engine.game import Game
    from engine.gtp.foresight import Foresight
    from engine.gtp.protocol import Stream
    from engine.gtp.thinker import Thinker
    from engine.thought import Thought


class Waiting(Protocol):
    """Where lines of input wait for their turn."""

    @property
    def waiting(self) -> bool: ...


class Remembered(NamedTuple):
    """A search, and the position it was about: so many events, and a hash of the stones."""

    thought: Thought
    events: int
    stones: int


def new_player(settings: Settings) -> Thinker:
    """The player that a session has if nobody gives it another."""
    from engine.player import Player

    return Player(settings)


class Session:
    """One conversation with a client. `kernels` must have been started."""

    def __init__(
        self,
        kernels: Kernels,
        size: int = 19,
        komi: float = 7.5,
        rules: Rules = RULES["chinese"],
        settings: Settings | None = None,
        make_player: Callable[[Settings], Thinker] = new_player,
        foresight: Foresight | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.attention = Attention()
        self.inbox: Waiting | None = None
        self.stream: Stream
        self.finished = False
        self.remembered: Remembered | None = None
        self._kernels = kernels
        self._size = size
        self._komi = komi
        self._rules = rules
        self._make_player = make_player
        self._foresight = foresight
        self._game: Game | None = None
        self._player: Thinker | None = None
        self._clock: Clock | None = None
        self._time: TimeSettings | None = None
        self._expect_game()

    # --- What is so ----------------------------------------------------------------------

    @property
    def size(self) -> int:
        return self._size

    @property
    def komi(self) -> float:
        return self._komi

    @property
    def rules(self) -> Rules:
        return self._rules if self._game is None else self._game.rules

    @property
    def game(self) -> Game:
        """The game, which waits for the kernels."""
        if self._game is None:
            self._wait()
            from engine.game import Game

            self._game = Game(self._size, self._komi, self._rules)
        return self._game

    @property
    def player(self) -> Thinker:
        """Who chooses the moves; the same one for all games."""
        if self._player is None:
            self._wait()
            self._player = self._make_player(self.settings)
        return self._player

    @property
    def clock(self) -> Clock | None:
        """The clock of this game, None as long as nobody has set a time limit."""
        return self._clock

    # --- What changes it -----------------------------------------------------------------

    def new_game(self, size: int | None = None) -> None:
        """Start again on an empty board, maybe of another size; komi and time settings stay."""
        self.stop_pondering()
        self._size = self._size if size is None else size
        self._game = None
        self.remembered = None
        self._start_clock()
        self._expect_game()

    def take_over(self, game: Game) -> None:
        """Go on with a game from elsewhere, with its size, komi and rules."""
        self.stop_pondering()
        self._size, self._komi, self._rules = game.size, game.komi, game.rules
        self._game = game

    def set_komi(self, komi: float) -> None:
        """Change the komi of this game and the next ones."""
        self.stop_pondering()
        if komi != self._komi:
            self.remembered = None  # what was found out is no longer so
        self._komi = komi
        if self._game is not None:
            self._game.komi = komi

    def set_rules(self, rules: Rules) -> None:
        """Change the rules of this game and the next ones."""
        self.stop_pondering()
        if rules != self.rules:
            self.remembered = None
        self._rules = rules
        if self._game is not None:
            self._game = self._game.replayed(rules=rules)

    def set_time(self, time: TimeSettings) -> None:
        """Change the time limits of this game and the next ones."""
        self._time = time if time.limited else None
        self._start_clock()

    def stop_pondering(self) -> None:
        """The position is about to change, or nobody wants to know it any more."""
        if self._player is not None:
            self._player.stop()

    def forget(self) -> None:
        """Begin with a fresh player at the next move."""
        if self._player is not None:
            self._player.close()
        self._player = None
        self.remembered = None

    def _expect_game(self) -> None:
        if self._foresight is not None:
            self._foresight.expect(self._size)

    def _start_clock(self) -> None:
        if self._time is None:
            self._clock = None
        else:
            from engine.clock import Clock

            self._clock = Clock(self._time)

    # --- What was searched ---------------------------------------------------------------

    def remember(self, thought: Thought | None) -> None:
        """Keep what was found out about the position as it is now."""
        if thought is not None:
            game = self.game
            self.remembered = Remembered(thought, len(game.events), game.position.hash)

    def last_thought(self) -> tuple[Thought, Game] | None:
        """The last search, with its position, if that is on the board or was a move ago."""
        kept, game = self.remembered, self.game
        for moves_ago in (0, 1):
            number = len(game.events) - moves_ago
            if kept is None or number != kept.events:
                continue
            past = game.replayed(number)
            if past.position.hash == kept.stones:
                return kept.thought, past
        return None

    def _wait(self) -> None:
        try:
            self._kernels.wait()
        except KernelsUnavailable as error:
            raise GtpError(str(error)) from None
