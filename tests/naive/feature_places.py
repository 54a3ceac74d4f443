"""The slow twins of the features that tell where and when: lines, distances, corners, influence."""

from __future__ import annotations

from collections.abc import Callable

from tests.naive.board import EMPTY, on_board
from tests.naive.scene import Candidate, Place, Scene

INFLUENCE = ((32, "32+"), (20, "20-31"), (12, "12-19"), (6, "6-11"), (1, "1-5"), (0, "0"))


def distance(p: Place, q: Place) -> int:
    dx, dy = abs(p[0] - q[0]), abs(p[1] - q[1])
    return dx + dy + max(dx, dy)


def open_ended(n: int, most: int) -> str:
    return str(n) if n < most else f"{most}+"


def line_and_position(place: Place, size: int) -> tuple[int, int]:
    to_side = [min(k + 1, size - k) for k in place]
    return min(to_side), max(to_side)


def phase(scene: Scene) -> int:
    return min(len(scene.moves) * 361 // (30 * scene.size**2), 11)


def _line(move: Candidate) -> int:
    return line_and_position(move.place, move.look.scene.size)[0]


def _position(move: Candidate) -> int:
    return line_and_position(move.place, move.look.scene.size)[1]


def _border(move: Candidate) -> str | None:
    return str(_line(move)) if _line(move) <= 4 else None


def _place(move: Candidate) -> str:
    return f"{min(_line(move), 10)}-{min(_position(move), 10)}"


def _line_phase(move: Candidate) -> str:
    return f"phase {phase(move.look.scene) + 1}, line {open_ended(_line(move), 5)}"


# --- Distances ------------------------------------------------------------------------------------


def _distance(back: int, with_zero: bool) -> Callable[[Candidate], str | None]:
    """The distance to one of the last moves."""

    def twin(move: Candidate) -> str | None:
        earlier = move.look.scene.move(back)
        if earlier is None or (earlier == move.place and not with_zero):
            return None
        return open_ended(distance(move.place, earlier), 17)

    return twin


def _in_context(back: int, with_zero: bool) -> Callable[[Candidate], str | None]:
    """The distance to one of the last moves, with what the last one did to its neighbours."""
    plain = _distance(back, with_zero)

    def twin(move: Candidate) -> str | None:
        far = plain(move)
        if far is None:
            return None
        fewest = min((len(one.liberties) for one in move.look.beside_last), default=4)
        return f"left {open_ended(fewest, 4)}, {far}"

    return twin


def _cfg(back: int, with_zero: bool) -> Callable[[Candidate], str | None]:
    def twin(move: Candidate) -> str | None:
        earlier = move.look.scene.move(back)
        if earlier is None or (earlier == move.place and not with_zero):
            return None
        return open_ended(move.look.steps_from(earlier, 4).get(move.place, 4), 4)

    return twin


def _distances_of(move: Candidate, color: int) -> list[int]:
    """The distances to all stones of a colour."""
    chains = move.look.chain_at.items()
    return [distance(move.place, stone) for stone, one in chains if one.color == color]


def _nearest(own: bool) -> Callable[[Candidate], str | None]:
    def twin(move: Candidate) -> str | None:
        found = _distances_of(move, move.look.own if own else move.look.enemy)
        return open_ended(min(found), 20) if found else None

    return twin


def _influence(move: Candidate) -> str:
    names = []
    for side, color in (("own", move.look.own), ("enemy", move.look.enemy)):
        total = sum(10 - d for d in _distances_of(move, color) if d < 10)
        names.append(f"{side} {next(name for step, name in INFLUENCE if total >= step)}")
    return ", ".join(names)


# --- The opening ----------------------------------------------------------------------------------


def _side_extension(move: Candidate) -> str | None:
    scene = move.look.scene
    if _line(move) != 3 or _position(move) < 4:
        return None
    row, column = move.place
    size = scene.size
    # The side, as the points on a line seen from it, and how far along it the move is.
    if row in (2, size - 3):
        lines = [[(r, c) for c in range(size)] for r in (row - 1, row, row + 1)]
        along = column
    else:
        lines = [[(r, c) for r in range(size)] for c in (column - 1, column, column + 1)]
        along = row

    def room(step: int) -> int:
        k = along + step
        while 0 <= k < size and all(scene.grid[points[k]] == EMPTY for points in lines):
            k += step
        return abs(k - along)

    left, right = room(-1), room(1)
    return open_ended(left + right + min(left, right), 20)


def _corner(move: Candidate) -> str | None:
    scene = move.look.scene
    row, column = move.place
    around = [(row + up, column + right) for up in (-1, 0, 1) for right in (-1, 0, 1)]
    if any(on_board(scene.grid, *p) and scene.grid[p] != EMPTY for p in around):
        return None
    here = line_and_position(move.place, scene.size)
    if here in ((3, 3), (3, 4), (3, 5), (4, 4), (4, 5)):
        return f"{here[0]}-{here[1]}"
    if here[0] != 3:
        return None
    stars = [
        one.color
        for p, one in move.look.chain_at.items()
        if line_and_position(p, scene.size) == (4, 4)
        and sorted((abs(p[0] - row), abs(p[1] - column))) == [1, 2]
    ]
    if move.look.enemy in stars:
        return "approach"
    return "enclosure" if move.look.own in stars else None


PLACE_TWINS: dict[str, Callable[[Candidate], str | None]] = {
    "border": _border,
    "line": lambda move: open_ended(_line(move), 5),
    "position": lambda move: open_ended(_position(move), 10),
    "place": _place,
    "line_phase": _line_phase,
    "distance_last": _distance(1, with_zero=False),
    "distance_before": _distance(2, with_zero=False),
    "distance_second": _distance(2, with_zero=True),
    "last_context": _in_context(1, with_zero=False),
    "second_context": _in_context(2, with_zero=True),
    "third_context": _in_context(3, with_zero=True),
    "fourth_context": _in_context(4, with_zero=True),
    "cfg_last": _cfg(1, with_zero=False),
    "cfg_second": _cfg(2, with_zero=True),
    "nearest_own": _nearest(own=True),
    "nearest_enemy": _nearest(own=False),
    "influence": _influence,
    "side_extension": _side_extension,
    "corner": _corner,
}
