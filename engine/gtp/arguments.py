"""Reading the arguments of a command. What is missing or malformed is a syntax error.

Surplus arguments are ignored, because some clients send them.
"""

from __future__ import annotations

import math
import re

from engine.gtp.registry import GtpError
from engine.vertex import OffBoard, parse_color, parse_vertex

SYNTAX_ERROR = "syntax error"
ILLEGAL_MOVE = "illegal move"

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def argument(args: list[str], i: int) -> str:
    """The i-th argument; a missing one is a syntax error."""
    if i >= len(args):
        raise GtpError(SYNTAX_ERROR)
    return args[i]


def integer(text: str) -> int | None:
    """A whole number in plain digits, or None if it is none."""
    return int(text) if _INTEGER.fullmatch(text) else None


def integer_argument(args: list[str], i: int) -> int:
    """A whole number in plain digits."""
    number = integer(argument(args, i))
    if number is None:
        raise GtpError(SYNTAX_ERROR)
    return number


def number_argument(args: list[str], i: int) -> float:
    """A finite number; `nan` and `inf` are none."""
    text = argument(args, i)
    if _DECIMAL.fullmatch(text) is None or not math.isfinite(float(text)):
        raise GtpError(SYNTAX_ERROR)
    return float(text)


def color_argument(args: list[str], i: int) -> int:
    """A colour."""
    try:
        return parse_color(argument(args, i))
    except ValueError:
        raise GtpError(SYNTAX_ERROR) from None


def vertex_argument(args: list[str], i: int, size: int, off_board: str = ILLEGAL_MOVE) -> int:
    """A point of the board, or PASS; a vertex beyond the edge has an error of its own."""
    try:
        return parse_vertex(argument(args, i), size)
    except OffBoard:
        raise GtpError(off_board) from None
    except ValueError:
        raise GtpError(SYNTAX_ERROR) from None


def quoted(args: list[str]) -> list[str]:
    """The arguments, where those between double quotes are one: how clients send spaces."""
    result: list[str] = []
    inside = False
    for word in args:
        if inside:
            result[-1] += f" {word}"
        else:
            result.append(word)
        opens = not inside and word.startswith('"')
        if (opens or inside) and len(word) > opens and word.endswith('"'):
            inside = False
        elif opens:
            inside = True
    is_quoted = ('"' == word[:1] == word[-1:] and len(word) > 1 for word in result)
    return [word[1:-1] if q else word for word, q in zip(result, is_quoted, strict=True)]
