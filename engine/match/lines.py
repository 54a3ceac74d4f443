"""A line of results: what a game leaves behind, and whether what a file says can be one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.match.terms import DRAW, FIRST, SECOND

Line = dict[str, Any]
_MOST = 1e9  # of anything that is counted or measured here


def is_sound(line: object) -> bool:
    """Whether all that `play_game` writes is there, of the right kind and possible."""
    return isinstance(line, dict) and all(
        name in line and possible(line[name]) for name, possible in _POSSIBLE.items()
    )


def _one_of(*values: object) -> Callable[[object], bool]:
    return lambda value: value in values


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _is_time(value: object) -> bool:
    # Processor time is what the system tells: a little below 0 if a helper has left.
    return isinstance(value, int | float) and -_MOST < value < _MOST


def _are_times(value: object) -> bool:
    return isinstance(value, dict) and _is_time(value.get(FIRST)) and _is_time(value.get(SECOND))


def _are_times_if_known(value: object) -> bool:
    return isinstance(value, dict) and all(
        value.get(who) is None or _is_time(value[who]) for who in (FIRST, SECOND)
    )


def _is_opening(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_POSSIBLE: dict[str, Callable[[object], bool]] = {
    "game": _is_count,
    "black": _one_of(FIRST, SECOND),
    "winner": _one_of(FIRST, SECOND, DRAW),
    "result": _is_text,
    "reason": _is_text,
    "fault": _one_of(FIRST, SECOND, None),
    "moves": _is_count,
    "line": _is_text,
    "opening": _is_opening,
    "seconds": _are_times,
    "cpu": _are_times_if_known,
}
