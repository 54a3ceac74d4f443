"""How Sabaki reads a line of analysis, told in Python: what it would drop, and where it throws."""

from __future__ import annotations

import re

_LINE = re.compile(r"(?:(?:[A-Z]\d+|pass)\s*)+$")


class SabakiThrows(Exception):
    """Sabaki's reader fails with an exception, and the user sees no analysis any more."""


def read_analysis(line: str, board_size: int, is_kata: bool):
    """The variations Sabaki would show, as dicts, and the ownership it would draw."""
    text, _, tail = line.partition(" ownership ")
    owners = [float(word) for word in tail.split()]
    if owners and len(owners) != board_size**2:
        raise SabakiThrows("ownership of another board")
    shown = []
    for part in re.split(r"\s*info\s+", text)[1:]:
        match = _LINE.search(part.strip())
        if match is None:
            continue
        moves = match[0].partition("pass")[0].split()
        words = part.strip()[: match.start()].split()
        if words[-1] != "pv":
            continue
        pairs = words[:-1]
        if len(pairs) % 2:
            raise SabakiThrows(f"a key without a value: {part}")
        fields = dict(zip(pairs[::2], pairs[1::2], strict=True))
        if not re.fullmatch(r"[A-Z]\d+", fields.get("move", "")) or not moves:
            continue
        winrate = float(fields["winrate"])
        fields["winrate"] = 100 * winrate if is_kata else winrate / 100
        fields["moves"] = moves
        shown.append(fields)
    return shown, owners
