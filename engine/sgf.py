"""Games in and out of SGF files, through sgfmill.

Reading follows the main line and makes one event of each setup and each move. Records in the
wild are loose with handicaps, so this is how they are understood:

- HA with black stones set up before the first move, and nothing else: these stones are the
  handicap, however many HA says.
- HA[n] with no stones set up, but n moves of Black in a row at the start: these are the handicap
  (servers write freely placed stones like this). They keep their move numbers.
- HA without any of this: no stones, so no handicap. None are made up.
- Stones set up without HA: a setup. If no PL says whose turn it is, the next move does.

A record that repeats a position was played under a simple ko rule, whatever it says: triple kos
end professional games without result. From there on the game has its rules with a simple ko.

What is wrong with a record is said in one line, as a ValueError; no other exception leaves here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sgfmill import sgf, sgf_grammar, sgf_properties

from engine import __version__
from engine.game import Game, Move, SetUp
from engine.geometry import BLACK, MAX_SIZE, MIN_SIZE, PASS, WHITE, point, row_and_column
from engine.rules import RULES, Rules, rules_named
from engine.vertex import vertex_text

_COLORS = {"B": BLACK, "W": WHITE}
_LETTERS = {BLACK: "B", WHITE: "W"}
# How game records name the rules; the others are named by their own name.
_RULE_NAMES = {"tromp-taylor": "Tromp-Taylor", "aga": "AGA", "new-zealand": "NZ"}


class _Stones(NamedTuple):
    """A setup as it stands in a record; `to_move` is None where no PL says it."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    empty: tuple[int, ...]
    to_move: int | None


_Step = _Stones | Move


# --- In -----------------------------------------------------------------------------------


def load_game(
    data: bytes,
    before_move: int | None = None,
    rules: Rules = RULES["chinese"],
    komi: float = 0.0,
) -> Game:
    """The main line of the first game in an SGF file.

    With `before_move` n, only the moves before the n-th, counted from 1, and the setups before
    it; a number beyond the last move means all of them. `rules` are for records that name
    none we know, `komi` for those without one.
    """
    if before_move is not None and before_move < 1:
        raise ValueError("move numbers start at 1")
    nodes = _main_line(data)
    root = nodes[0]
    game = Game(root.get_size(), _komi(root, komi), _rules(root, rules))
    steps = [step for node in nodes for step in _steps_of(node)]
    handicap = _handicap(root)
    steps = _without_set_handicap(game, steps, handicap)
    steps = _before(_with_turns(steps), before_move)
    rest = _without_played_handicap(game, steps, handicap)
    number = len(steps) - len(rest)
    for step in rest:
        number += isinstance(step, Move)
        _take_step(game, step, number)
    return game


def _main_line(data: bytes) -> list[sgf.Node]:
    """The nodes of the main line of a Go record of a size we have."""
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise ValueError(f"not an SGF file: {error}") from None
    root = tree.sequence[0]
    if root.get("GM", [b"1"])[0].strip() != b"1":
        raise ValueError("not a game of Go")
    size = _size(root.get("SZ", [b"19"])[0])
    root["SZ"] = [str(size).encode()]
    try:
        record = sgf.Sgf_game.from_coarse_game_tree(tree)
    except ValueError:
        # A charset nobody knows: what we read is ASCII anyway.
        record = sgf.Sgf_game.from_coarse_game_tree(tree, override_encoding="ISO-8859-1")
    return list(record.main_sequence_iter())


def _size(raw: bytes) -> int:
    columns, is_rectangle, rows = raw.partition(b":")
    if is_rectangle and rows.strip() != columns.strip():
        raise ValueError(f"not a square board: {_shown(raw)}")
    try:
        size = int(columns)
    except ValueError:
        raise ValueError(f"not a board size: {_shown(raw)}") from None
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"board size {_shown(columns)} is not in {MIN_SIZE} to {MAX_SIZE}")
    return size


def _komi(root: sgf.Node, otherwise: float) -> float:
    raw = root.get_raw("KM").strip() if root.has_property("KM") else b""
    if not raw:
        return otherwise
    try:
        # Some countries write a comma.
        komi = float(raw.replace(b",", b"."))
    except ValueError:
        komi = math.nan
    if not math.isfinite(komi):
        raise ValueError(f"not a komi: {_shown(raw)}")
    return komi


def _rules(root: sgf.Node, otherwise: Rules) -> Rules:
    """The rules a record names, in full or by the first word, as in `Chinese rules`."""
    if not root.has_property("RU"):
        return otherwise
    text = root.get_raw("RU").decode("ascii", "replace")
    for name in (text, *text.split()[:1]):
        with contextlib.suppress(ValueError):
            return rules_named(name)
    return otherwise


def _handicap(root: sgf.Node) -> int:
    with contextlib.suppress(ValueError, KeyError):
        return int(root.get_raw("HA"))
    return 0


def _steps_of(node: sgf.Node) -> Iterator[_Step]:
    """The setup of a node, if it has one, then its move; properties that we don't play by are
    passed over."""
    properties = node.properties()
    black, white, empty = (_listed(node, name) for name in ("AB", "AW", "AE"))
    turn = node.get_raw("PL").strip()[:1].upper() if "PL" in properties else b""
    to_move = _COLORS.get(turn.decode("ascii", "replace"))
    if black or white or empty or to_move:
        yield _Stones(black, white, empty, to_move)
    for name in properties:
        if name in _COLORS:
            for raw in node.get_raw_list(name):
                yield Move(_COLORS[name], _move_point(raw.strip(), node.get_size()))


def _listed(node: sgf.Node, name: str) -> tuple[int, ...]:
    """The points of a setup property, each once, in the order of the record."""
    if not node.has_property(name):
        return ()
    points: dict[int, None] = {}
    for raw in node.get_raw_list(name):
        try:
            found = node.get_presenter().interpret(name, [raw.strip()])
        except ValueError:
            raise ValueError(f"{name} holds no point of the board: {_shown(raw)}") from None
        points |= dict.fromkeys(point(row, column) for row, column in sorted(found))
    return tuple(points)


def _move_point(raw: bytes, size: int) -> int:
    try:
        place = sgf_properties.interpret_go_point(raw, size)
    except ValueError:
        raise ValueError(f"a move off the board: {_shown(raw)}") from None
    return PASS if place is None else point(*place)


def _with_turns(steps: list[_Step]) -> list[_Step]:
    """The steps, where each setup says whose turn it is, if anything in the record tells."""
    result: list[_Step] = []
    turn = None
    for step in reversed(steps):
        if isinstance(step, Move):
            turn = step.color
        else:
            turn = step.to_move or turn
            step = step._replace(to_move=turn)
        result.append(step)
    return result[::-1]


def _before(steps: list[_Step], number: int | None) -> list[_Step]:
    """The steps up to the move of a number, without it."""
    count = 0
    for i, step in enumerate(steps):
        count += isinstance(step, Move)
        if count == number:
            return steps[:i]
    return steps


def _without_set_handicap(game: Game, steps: list[_Step], handicap: int) -> list[_Step]:
    """Give the handicap if the first step sets it up; returns the steps that are left."""
    first = steps[0] if handicap >= 1 and steps else None
    if not isinstance(first, _Stones) or not first.black or first.white or first.empty:
        return steps
    _give_handicap(game, first.black)
    turn: list[_Step] = [first._replace(black=())] if first.to_move else []
    return turn + steps[1:]


def _without_played_handicap(game: Game, steps: list[_Step], handicap: int) -> list[_Step]:
    """Give the handicap if the first moves are its stones; returns the steps that are left."""
    if game.handicap or handicap < 2:
        return steps
    moves = [step for step in steps[:handicap] if isinstance(step, Move)]
    points = {move.point for move in moves if move.color == BLACK and move.point != PASS}
    if len(points) < handicap:
        return steps
    _give_handicap(game, [move.point for move in moves])
    return steps[handicap:]


def _give_handicap(game: Game, points: Iterable[int]) -> None:
    try:
        game.place_handicap(points)
    except ValueError as error:
        raise ValueError(f"the handicap is impossible: {error}") from None


def _take_step(game: Game, step: _Step, number: int) -> None:
    if isinstance(step, Move):
        _play(game, step, number)
        return
    black, white, empty, to_move = step
    if black or white or empty or to_move not in (None, game.to_move):
        try:
            game.set_up(black, white, empty, to_move)
        except ValueError as error:
            raise ValueError(f"the setup after move {number} is impossible: {error}") from None


def _play(game: Game, move: Move, number: int) -> None:
    reason = game.why_illegal(*move)
    if reason == "superko":
        game.rules = dataclasses.replace(game.rules, ko="simple")
    elif reason:
        place = vertex_text(move.point)
        raise ValueError(f"move {number} at {place} is illegal: {reason}")
    game.play(*move)


def _shown(raw: bytes) -> str:
    """A raw value as part of an error line: short and printable."""
    return ascii(raw[:20].decode("latin-1"))


# --- Out ----------------------------------------------------------------------------------


def dump_game(
    game: Game,
    black_name: str = "",
    white_name: str = "",
    result: str = "",
    comments: Mapping[int, str] | None = None,
) -> bytes:
    """A game as an SGF file that `load_game` reads back as an equal game.

    `comments` go by the number of moves played: 0 is the start. Every event but a first setup
    has a node of its own. (A setup that changes neither stones nor turn is lost in reading.)
    """
    record = sgf.Sgf_game(game.size)
    node = record.get_root()
    node.set("AP", ("Miai", __version__))
    node.set("KM", game.komi)
    node.set("RU", _RULE_NAMES.get(game.rules.name, game.rules.name.title()))
    for name, text in (("PB", black_name), ("PW", white_name), ("RE", result)):
        if text:
            node.set(name, _encodable(text))
    if game.handicap:
        node.set("HA", game.handicap)
    comments = comments or {}
    _comment(node, comments.get(0))
    number = 0
    for i, event in enumerate(game.events):
        if i > 0 or isinstance(event, Move):
            node = node.new_child()
        if isinstance(event, Move):
            number += 1
            place = None if event.point == PASS else row_and_column(event.point)
            node.set(_LETTERS[event.color], place)
            _comment(node, comments.get(number))
        else:
            _write_setup(node, event)
    return record.serialise()


def save_game(game: Game, path: str | os.PathLike[str], **details: Any) -> None:
    """Write a game to a file, all of it or nothing; `details` as for `dump_game`."""
    path = Path(path)
    data = dump_game(game, **details)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def _write_setup(node: sgf.Node, event: SetUp) -> None:
    for name, points in (("AB", event.black), ("AW", event.white), ("AE", event.empty)):
        if points:
            node.set_raw_list(name, _raw_points(points, node.get_size()))
    if not event.handicap:
        node.set_raw("PL", _LETTERS[event.to_move].encode())


def _raw_points(points: Iterable[int], size: int) -> list[bytes]:
    """Points in their own order, which sgfmill's point lists would lose."""
    return [sgf_properties.serialise_go_point(row_and_column(p), size) for p in points]


def _comment(node: sgf.Node, text: str | None) -> None:
    if text:
        node.set("C", _encodable(text))


def _encodable(text: str) -> str:
    """Text that came from anywhere, without what UTF-8 can't hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
