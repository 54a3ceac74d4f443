"""What a GTP session needs of whoever chooses the moves. `engine.player.Player` is one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.game import Game
    from engine.thought import Thought

RESIGN = -1

Report = Callable[["Thought"], None]


class Decision(Protocol):
    """A point, PASS or RESIGN, and the search that led to it, if one did."""

    @property
    def point(self) -> int: ...
    @property
    def thought(self) -> Thought | None: ...


class Status(Protocol):
    """What becomes of the stones; owners are 1 for Black's points and -1 for White's."""

    @property
    def alive(self) -> Collection[int]: ...
    @property
    def dead(self) -> Collection[int]: ...
    @property
    def seki(self) -> Collection[int]: ...
    @property
    def owners(self) -> Mapping[int, float]: ...


class Thinker(Protocol):
    """Chooses moves. `stop` may be called from any thread, everything else from one."""

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
    ) -> Decision: ...

    def analyze(
        self,
        game: Game,
        color: int,
        on_report: Report,
        interval: float,
        *,
        avoid: Collection[int] = (),
    ) -> Thought: ...

    def stop(self) -> None: ...

    def ponder(self, game: Game) -> None: ...

    def status(self, game: Game) -> Status: ...

    def final_score(self, game: Game) -> float: ...

    def raw(self, kind: str, game: Game, color: int) -> Any: ...

    def close(self) -> None: ...
