"""Time limits, in the words of GTP, KGS and KataGo, and what is left of them."""

from __future__ import annotations

from collections.abc import Callable

from engine.clock import TimeSettings
from engine.gtp.arguments import (
    SYNTAX_ERROR,
    argument,
    color_argument,
    integer_argument,
    number_argument,
)
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session


def _set(session: Session, make: Callable[[], TimeSettings]) -> str:
    try:
        settings = make()
    except ValueError:
        raise GtpError(SYNTAX_ERROR) from None
    session.set_time(settings)
    return ""


@command("time_settings", "MAIN PERIOD STONES")
def time_settings(session: Session, args: list[str]) -> str:
    """Set the main time and Canadian overtime, in seconds; a period for 0 stones: no limit."""
    main, period = number_argument(args, 0), number_argument(args, 1)
    stones = integer_argument(args, 2)
    return _set(session, lambda: TimeSettings.gtp(main, period, stones))


@command("time_left", "COLOR SECONDS STONES")
def time_left(session: Session, args: list[str]) -> str:
    """Say what a colour has left: of its main time (0 stones) or of its overtime."""
    color, seconds = color_argument(args, 0), number_argument(args, 1)
    stones = round(number_argument(args, 2))
    if session.clock is not None:
        session.clock.set_left(color, seconds, max(0, stones))
    return ""


@command("kgs-time_settings", "SYSTEM ...")
def kgs_time_settings(session: Session, args: list[str]) -> str:
    """Set none, absolute MAIN, canadian MAIN PERIOD STONES or byoyomi MAIN PERIOD PERIODS."""
    if argument(args, 0) not in ("none", "absolute", "canadian", "byoyomi"):
        raise GtpError(SYNTAX_ERROR)
    return kata_time_settings(session, args)


@command("kata-list_time_settings")
def kata_list_time_settings(session: Session, args: list[str]) -> str:
    """The time systems that kata-time_settings knows."""
    return " ".join(_SYSTEMS)


@command("kata-time_settings", "SYSTEM ...")
def kata_time_settings(session: Session, args: list[str]) -> str:
    """The same, with fischer MAIN INCREMENT and fischer-capped MAIN INCREMENT CAP MOVE_CAP too."""
    make = _SYSTEMS.get(argument(args, 0))
    if make is None:
        raise GtpError(SYNTAX_ERROR)
    return _set(session, lambda: make(args))


_SYSTEMS: dict[str, Callable[[list[str]], TimeSettings]] = {
    "none": lambda args: TimeSettings.none(),
    "absolute": lambda args: TimeSettings.absolute(number_argument(args, 1)),
    "canadian": lambda args: TimeSettings.canadian(
        number_argument(args, 1), number_argument(args, 2), integer_argument(args, 3)
    ),
    "byoyomi": lambda args: TimeSettings.byoyomi(
        number_argument(args, 1), number_argument(args, 2), integer_argument(args, 3)
    ),
    "fischer": lambda args: TimeSettings.fischer(
        number_argument(args, 1), number_argument(args, 2)
    ),
    "fischer-capped": lambda args: TimeSettings.fischer(
        number_argument(args, 1),
        number_argument(args, 2),
        number_argument(args, 3),
        number_argument(args, 4),
    ),
}
