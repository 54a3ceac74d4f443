"""Where games begin and end, byte by byte: the twin of `knowledge/game_bounds.py`."""

from __future__ import annotations

import re

_NODE = re.compile(rb"\(\s*;")
_GAME = re.compile(rb"\(\s*;\s*([A-Za-z]+)\s*\[[^\]]*(?<!\\)\]")
_ROOT_ONLY = (b"GM", b"FF", b"SZ", b"CA", b"AP")


def _starts_game(data: bytes, i: int) -> bool:
    found = _GAME.match(data, i)
    return found is not None and re.sub(rb"[a-z]", b"", found[1]) in _ROOT_ONLY


def game_bounds(data: bytes) -> list[tuple[int, int]]:
    """The start and end of each game in a text, in order."""
    result: list[tuple[int, int]] = []
    start, depth, in_value, i = 0, 0, False, 0
    while i < len(data):
        sign = data[i : i + 1]
        at_line = data[i - 1 : i] in (b"\n", b"\r")
        if sign == b"(" and depth > 0 and (at_line or not in_value) and _starts_game(data, i):
            result.append((start, i))
            start, depth, in_value = i, 1, False
        elif in_value:
            if sign == b"\\":
                i += 1
            in_value = sign != b"]"
        elif depth == 0:
            if _NODE.match(data, i):
                start, depth = i, 1
        elif sign == b"[":
            in_value = True
        elif sign == b"(":
            depth += 1
        elif sign == b")":
            depth -= 1
            if depth == 0:
                result.append((start, i + 1))
        i += 1
    result += [(start, len(data))] * (depth > 0)
    following = [start for start, _ in result[1:]] + [len(data)]
    return [
        (start, last if re.search(rb";\s*[BW]\s*\[", data[end:last]) else end)
        for (start, end), last in zip(result, following, strict=False)
    ]
