"""What the texts of a game record say: rank, date, winner, komi, board size.

People write these in many ways. What is not clear counts as unknown. Nothing here needs NumPy,
because the options of subcommands are read with it too.
"""

from __future__ import annotations

import re

from engine.geometry import BLACK, MAX_SIZE, MIN_SIZE, WHITE

LOOKS_LIKE_A_MOVE = re.compile(rb";\s*[BW]\s*\[")
UNKNOWN = 0
_PRO = 10  # what is added to a professional's dan
_WEAKEST, _STRONGEST_DAN, _STRONGEST_PRO = 30, 10, 9
_DIGITS = {sign: str(i) for i, sign in enumerate("初二三四五六七八九", 1)} | {"一": "1"}
_RANK = re.compile(r"(\d{1,2})\s*-?\s*(k|d|p|段|級|级)(\w*)[ ,]*(pro)?", re.IGNORECASE)
_DATE = re.compile(
    r"(?<!\d)(?:(1\d{3}|20\d\d)(?:[-/.年]\s?(\d{1,2})(?!\d)(?:[-/.月]\s?(\d{1,2})(?!\d))?)?"
    r"|(1\d{3}|20\d\d)([01]\d)([0-3]\d))(?!\d)"
)
_WINNER = re.compile(
    r"(?:(b|black|黑|黒)|w|white|白)(?:\s*\+|\s+w[io]n|\S{0,8}(?:胜|勝))", re.IGNORECASE
)
_KOMI = re.compile(r"([-+]?\d{1,3}(?:[.,]\d{1,4})?)[^\d/]*")


def rank_value(text: str) -> int:
    """30k to 1k as -30 to -1, 1d to 10d as 1 to 10, 1p to 9p as 11 to 19; 0 if unknown."""
    text = text.strip()
    if text[:1] in _DIGITS:
        text = _DIGITS[text[0]] + text[1:]
    found = _RANK.match(text)
    if found is None:
        return UNKNOWN
    number, kind = int(found[1]), found[2].lower()
    if kind == "p" or found[4]:
        return number + _PRO if 1 <= number <= _STRONGEST_PRO else UNKNOWN
    if kind in "d段":
        return number if 1 <= number <= _STRONGEST_DAN else UNKNOWN
    return -number if 1 <= number <= _WEAKEST else UNKNOWN


def rank_text(value: int) -> str:
    """The opposite of `rank_value`, in its shortest form."""
    if value == UNKNOWN:
        return "?"
    if value < 0:
        return f"{-value}k"
    return f"{value}d" if value <= _STRONGEST_DAN else f"{value - _PRO}p"


def date_value(text: str) -> int:
    """The first date in a text as a number such as 20060131, zeros for what is unknown."""
    found = _DATE.search(text)
    if found is None:
        return UNKNOWN
    parts = found.groups()[:3] if found[1] else found.groups()[3:]
    year, month, day = (int(part or 0) for part in parts)
    if not 1 <= month <= 12:
        month = day = 0
    if not 1 <= day <= 31:
        day = 0
    return year * 10_000 + month * 100 + day


def winner(result: str) -> int:
    """Who won, by a result such as B+3.5 or White wins; 0 for anything else."""
    found = _WINNER.match(result.strip())
    if found is None:
        return UNKNOWN
    return BLACK if found[1] else WHITE


def komi_value(text: str) -> float:
    """A komi, with a point or a comma; 0 if there is none that can be read."""
    found = _KOMI.fullmatch(text.strip())
    return float(found[1].replace(",", ".")) if found else 0.0


def size_value(text: str) -> int:
    """A board size; ValueError if the engine has no such board."""
    columns, is_rectangle, rows = text.partition(":")
    if is_rectangle and rows.strip() != columns.strip():
        raise ValueError(f"not a square board: {text[:20]!r}")
    try:
        size = int(columns)
    except ValueError:
        raise ValueError(f"not a board size: {text[:20]!r}") from None
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"board size {size} is not in {MIN_SIZE} to {MAX_SIZE}")
    return size
