"""Takes single games apart: from SGF text to the columns of `Games`.

sgfmill knows the grammar. Most records are a first node and then nothing but moves, perhaps with
clocks and comments: there sgfmill reads the first node only, and the moves are looked up in a
table, a hundred times as fast. Sloppy records are mended where that leaves the moves as clear as
they were; what is not clear is refused. Handicaps are understood as in `engine/sgf.py`, but
stones that a record announces and doesn't place make it unclear.

This runs in other processes too, and so keeps away from Numba.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from sgfmill import sgf_grammar, sgf_properties

from engine.geometry import BLACK, PASS, WHITE, point
from knowledge.encodings import readings
from knowledge.games import COLUMNS, Games, offsets
from knowledge.record_facts import (
    LOOKS_LIKE_A_MOVE,
    date_value,
    komi_value,
    rank_value,
    size_value,
    winner,
)

Properties = Mapping[str, list[bytes]]


class Unclear(ValueError):
    """A record that can't be read without guessing; the text says why."""


class Parsed(NamedTuple):
    """What one record says. Moves and stones are packed: points, plus WHITE_BIT for white."""

    size: int
    moves: np.ndarray
    setup: np.ndarray
    handicap: int
    texts: dict[str, str]


WHITE_BIT = 1 << 15
_SIGNS = {"B": 0, "W": WHITE_BIT}
_TEXTS = ("KM", "PB", "PW", "BR", "WR", "RE", "RU", "DT")
_OFF_BOARD = 0xFFFF
_VALUES = rb"(?:\s*\[[^\\\]]*(?:\\.[^\\\]]*)*\])+"
_FIRST_NODE = re.compile(rb"\(\s*;(?:\s*[A-Za-z]{1,64}" + _VALUES + rb")*\s*", re.DOTALL)
# Properties between moves that change nothing on the board: clocks, comments, marks.
_REMARKS = re.compile(
    rb"(?:BL|WL|OB|OW|OM|OP|C|N|V|MN|GB|GW|DM|UC|TE|BM|DO|IT|HO|LB|TR|CR|SQ|MA|SL|TB|TW|FG|VW|L|M)"
    + _VALUES,
    re.DOTALL,
)
_LOOKS_LIKE_A_PROPERTY = re.compile(rb"[A-Z]\s*\[")
_STONES = (b"B", b"W", b"AB", b"AW", b"AE")
_WORDS = re.compile(rb"[A-Za-z\s]*\Z")
_NODES = re.compile(rb";{2,}")
_BLANK = b" \t\r\n\f\v\x00\x1a"  # with the end mark of old systems
_MOVE = np.dtype(
    {
        "names": ["node", "color", "open", "place", "close"],
        "formats": ["u1", "u1", "u1", "<u2", "u1"],
        "offsets": [0, 1, 2, 3, 5],
        "itemsize": 6,
    }
)


# --- Many games ------------------------------------------------------------------------------


def parse_games(labels: list[str], texts: list[bytes]) -> tuple[Games, list[tuple[str, str]]]:
    """The games that could be read, and for the others their labels with what is wrong."""
    found: list[tuple[str, Parsed]] = []
    problems: list[tuple[str, str]] = []
    for label, text in zip(labels, texts, strict=True):
        try:
            found.append((label, parse_game(text)))
        except ValueError as error:
            problems.append((label, str(error)))
    return _columns(found), problems


def _columns(found: list[tuple[str, Parsed]]) -> Games:
    if not found:
        return Games.from_moves(19, [])
    games = [game for _, game in found]
    texts = [game.texts for game in games]
    numbers = {
        "sizes": [game.size for game in games],
        "komi": [komi_value(text["KM"]) for text in texts],
        "handicap": [game.handicap for game in games],
        "winner": [winner(text["RE"]) for text in texts],
        "rank_black": [rank_value(text["BR"]) for text in texts],
        "rank_white": [rank_value(text["WR"]) for text in texts],
        "date": [date_value(text["DT"]) for text in texts],
    }
    moves = np.concatenate([game.moves for game in games])
    setup = np.concatenate([game.setup for game in games])
    return Games(
        starts=offsets([len(game.moves) for game in games]),
        colors=packed_colors(moves),
        points=packed_points(moves),
        learn=np.ones(len(moves), np.bool_),
        setup_starts=offsets([len(game.setup) for game in games]),
        setup_colors=packed_colors(setup),
        setup_points=packed_points(setup),
        names=[(text["PB"], text["PW"]) for text in texts],
        results=[text["RE"] for text in texts],
        rules=[text["RU"] for text in texts],
        source=[label for label, _ in found],
        **{name: np.array(numbers[name], dtype) for name, dtype in COLUMNS.items()},
    )


def packed_colors(stones: np.ndarray) -> np.ndarray:
    """The colours of packed stones."""
    return np.where(stones >= WHITE_BIT, np.uint8(WHITE), np.uint8(BLACK))


def packed_points(stones: np.ndarray) -> np.ndarray:
    """The points of packed stones."""
    return stones & np.uint16(WHITE_BIT - 1)


# --- One game --------------------------------------------------------------------------------


def parse_game(text: bytes) -> Parsed:
    """Read one game; ValueError says why it can't be."""
    results: list[Parsed] = []
    reason: ValueError | None = None
    for data, encoding in readings(text):
        try:
            results.append(_parse(data, encoding))
        except ValueError as error:
            reason = reason or error
    if not results:
        raise reason or Unclear("no game record")
    # A bracket misread can swallow moves, but it makes none up.
    return max(results, key=lambda parsed: len(parsed.moves))


def _parse(data: bytes, encoding: str) -> Parsed:
    found = _FIRST_NODE.match(data)
    if found is not None:
        (root,) = sgf_grammar.parse_sgf_game(found[0] + b")").sequence
        size = _size(root)
        plain = _plain_moves(data[found.end() :], size)
        if plain is not None:
            moves, setup = _stones([root], size)
            return _game(root, size, np.concatenate([moves, plain]), setup, encoding)
    nodes = list(sgf_grammar.main_sequence_iter(_tree(data)))
    size = _size(nodes[0])
    return _game(nodes[0], size, *_stones(nodes, size), encoding)


def _size(root: Properties) -> int:
    if root.get("GM", [b"1"])[0].strip() not in (b"1", b""):
        raise Unclear("not a game of Go")
    return size_value(root.get("SZ", [b"19"])[0].decode("latin-1"))


def _game(
    root: Properties, size: int, moves: np.ndarray, setup: np.ndarray, encoding: str
) -> Parsed:
    texts = {name: _text(root.get(name), encoding) for name in _TEXTS}
    handicap = _handicap(root)
    if handicap >= 2 and not len(setup):
        # Servers write stones that were placed freely as moves.
        stones = moves[:handicap]
        if len(set(stones.tolist())) < handicap or not all(PASS < p < WHITE_BIT for p in stones):
            raise Unclear(f"a handicap of {handicap} without its stones")
        moves, setup = moves[handicap:], stones
    if handicap and len(setup):
        handicap = len(setup) if (setup < WHITE_BIT).all() else 0
    elif handicap < 2:
        handicap = 0
    return Parsed(size, moves, setup, min(handicap, 255), texts)


def _handicap(root: Properties) -> int:
    with contextlib.suppress(KeyError, ValueError):
        return max(0, sgf_properties.interpret_number(root["HA"][0]))
    return 0


def _text(values: list[bytes] | None, encoding: str) -> str:
    if not values:
        return ""
    text = sgf_grammar.simpletext_value(values[0]).decode(encoding, "replace")
    return text.replace("\0", " ").strip()


# --- The moves, fast where they are plain ----------------------------------------------------


@cache
def _points_by_letters(size: int) -> np.ndarray:
    """The point for each pair of letters, the first in the low byte; see `_OFF_BOARD`."""
    table = np.full(1 << 16, _OFF_BOARD, np.uint16)
    for column in range(size):
        for row in range(size):
            table[(97 + column) | (97 + size - 1 - row) << 8] = point(row, column)
    if size <= 19:
        table[ord("t") | ord("t") << 8] = PASS
    return table


def _plain_moves(tail: bytes, size: int) -> np.ndarray | None:
    """The moves behind the first node if there is nothing but moves and remarks."""
    moves = _move_table(tail, size)
    if moves is None:
        moves = _move_table(_REMARKS.sub(b"", tail), size)
    if moves is None:
        return None
    points = _points_by_letters(size)[moves["place"]]
    if (points == _OFF_BOARD).any():
        return None
    return points | (moves["color"] == ord("W")).astype(np.uint16) << 15


def _move_table(tail: bytes, size: int) -> np.ndarray | None:
    """The text as an array of moves of six bytes each, such as ;B[dd], if it is that."""
    tail = tail.translate(None, _BLANK).rstrip(b");")
    if b";;" in tail:  # nodes that held nothing but remarks
        tail = _NODES.sub(b";", tail)
    if size <= 19:
        tail = tail.replace(b"[]", b"[tt]")
    if len(tail) % _MOVE.itemsize:
        return None
    moves = np.frombuffer(tail, _MOVE)
    is_move = (moves["node"] == ord(";")) & (moves["open"] == ord("["))
    is_move &= moves["close"] == ord("]")
    is_move &= (moves["color"] == ord("B")) | (moves["color"] == ord("W"))
    return moves if is_move.all() else None


# --- The moves, by sgfmill -------------------------------------------------------------------


def _tree(data: bytes) -> sgf_grammar.Coarse_game_tree:
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError:
        return sgf_grammar.parse_sgf_game(_mended(_without_stray_text(data)))
    _, end = sgf_grammar.tokenise(data)
    if LOOKS_LIKE_A_MOVE.search(data, end):
        raise Unclear("moves behind its last parenthesis")
    return tree


def _without_stray_text(data: bytes) -> bytes:
    """A record without the ends of values that a bracket in the middle has cut in two.

    In PB[Ann [x] Lee] the value ends at the first bracket, and ` Lee]` is cut out. Nothing is
    if that could be a move, or if the rest of the value could have left one behind.
    """
    while True:
        tokens, end = sgf_grammar.tokenise(data)
        words = _WORDS.search(data, 0, end)
        start = words.start() if words else end
        close = data.find(b"]", end) + 1
        stray = data[start:close]
        if not close or data[start - 1 : start] != b"]" or _LOOKS_LIKE_A_PROPERTY.search(stray):
            return data
        node = tokens[len(tokens) - tokens[::-1].index(("D", b";")) :]
        names = [name for (_, name), (kind, _) in pairwise(node) if kind == "V" and name in _STONES]
        if names and names != [node[0][1]]:
            return data
        data = data[:start] + data[close:]


def _mended(data: bytes) -> bytes:
    """A record with its missing parentheses, without empty variations and empty remarks."""
    tokens, end = sgf_grammar.tokenise(data)
    rest = data[end:].strip(_BLANK + b")")
    if rest:
        raise Unclear(f"not understood: {rest[:20].decode('latin-1')!r}")
    parts: list[bytes] = []
    depth = 0
    kinds = [kind for kind, _ in tokens[1:]] + ["D"]
    for (kind, token), following in zip(tokens, kinds, strict=True):
        if kind == "V":
            parts.append(b"[" + token + b"]")
        elif kind == "I":
            if following == "V":
                parts.append(token)
            elif token in _STONES:
                raise Unclear(f"{token.decode()} without a point")
        elif token == b")" and parts[-1] == b"(":
            parts.pop()
            depth -= 1
        else:
            parts.append(token)
            depth += {b"(": 1, b")": -1}.get(token, 0)
    return b"".join(parts) + b")" * depth


def _stones(nodes: Iterable[Properties], size: int) -> tuple[np.ndarray, np.ndarray]:
    """The moves of some nodes and the stones set up before them, packed."""
    moves: list[int] = []
    setup: dict[int, int | None] = {}
    set_up_late = False
    for node in nodes:
        stones = dict(_setup(node, size))
        if moves and stones:
            set_up_late = True
        else:
            setup.update(stones)
        for name, values in node.items():
            if name in _SIGNS:
                if set_up_late:
                    raise Unclear(f"stones are set up after move {len(moves)}")
                moves += [_SIGNS[name] | _point(value, size) for value in values]
    packed = [sign | p for p, sign in setup.items() if sign is not None]
    return np.array(moves, np.uint16), np.array(packed, np.uint16)


def _setup(node: Properties, size: int) -> Iterator[tuple[int, int | None]]:
    """The points that a node sets up, each with the sign of its colour, or None for empty."""
    seen: set[int] = set()
    for name, sign in (("AB", 0), ("AW", WHITE_BIT), ("AE", None)):
        points = {p for value in node.get(name, ()) for p in _rectangle(value, size)}
        if seen & points:
            raise Unclear("a point is set up twice")
        seen |= points
        yield from ((p, sign) for p in sorted(points))


def _rectangle(value: bytes, size: int) -> Iterator[int]:
    """The points of a setup value: one, or all between two corners."""
    first, is_rectangle, second = value.strip().partition(b":")
    corners = [_place(raw, size) for raw in ((first, second) if is_rectangle else (first,)) if raw]
    if corners:
        rows, columns = zip(*corners, strict=True)
        for row in range(min(rows), max(rows) + 1):
            for column in range(min(columns), max(columns) + 1):
                yield point(row, column)


def _place(raw: bytes, size: int) -> tuple[int, int]:
    with contextlib.suppress(ValueError):
        place = sgf_properties.interpret_go_point(raw.strip(), size)
        if place is not None:
            return place
    raise Unclear(f"not a point of the board: {raw[:20].decode('latin-1')!r}")


def _point(raw: bytes, size: int) -> int:
    """The point of a move, or PASS."""
    raw = raw.strip()
    if raw == b"" or (raw == b"tt" and size <= 19):
        return PASS
    return point(*_place(raw, size))
