"""Where handicap stones go: the fixed points of GTP, and a free placement for any number.

Points stand in the order in which stones are added, so that the first stones of a large
handicap are where players expect them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.geometry import BLACK, MAX_SIZE, MIN_SIZE, PASS, WHITE, point, row_and_column

if TYPE_CHECKING:
    from engine.game import Game


def max_fixed(size: int) -> int:
    """How many stones a fixed handicap can have at most on a board, 0 for none."""
    if size < 7:
        return 0
    return 9 if size % 2 == 1 and size >= 9 else 4


def fixed_points(size: int, n: int) -> list[int]:
    """The points of a fixed handicap as GTP defines them."""
    if not 2 <= n <= max_fixed(size):
        raise ValueError("invalid number of stones")
    return _star_points(size, n)


def free_points(size: int, n: int) -> list[int]:
    """Exactly n points for a free handicap, on any board, as long as one point stays empty.

    They are star points as far as a board has room for them, then spread over the rest.
    """
    if not (MIN_SIZE <= size <= MAX_SIZE and 2 <= n < size * size):
        raise ValueError("invalid number of stones")
    most = 9 if size >= 9 else 4
    stars = list(dict.fromkeys(_star_points(size, min(n, most))))
    return _spread(size, stars, n)


def handicap_stones(game: Game) -> int:
    """How many stones Black was given, whichever way they were put down; 0 in an even game.

    Some servers send them as moves: then they are Black's stones before White's first, if there
    are at least two. White may pass in between.
    """
    if game.handicap:
        return game.handicap
    stones = 0
    for move in game.moves:
        if move.color == WHITE and move.point != PASS:
            break
        stones += move.color == BLACK and move.point != PASS
    return stones if stones >= 2 else 0


def _star_points(size: int, n: int) -> list[int]:
    """The first n star points, at most 9. Boards below 4x4 have fewer, so some repeat."""
    low = 3 if size >= 13 else 2 if size >= 7 else 1 if size >= 3 else 0
    high, middle = size - 1 - low, size // 2
    stars = [(low, low), (high, high), (high, low), (low, high)][:n]
    if n >= 6:
        stars += [(middle, low), (middle, high)]
    if n >= 8:
        stars += [(low, middle), (high, middle)]
    if n in (5, 7, 9):
        stars.append((middle, middle))
    return [point(row, column) for row, column in stars]


def _spread(size: int, stones: list[int], n: int) -> list[int]:
    """Add stones up to n, each as far as possible from those before it.

    As long as there is room, stones don't touch; the third line and up fill first, then the
    second, then the first. Among equals the higher line wins, then the order of points.
    """
    result = list(stones)
    points = [point(row, column) for row in range(size) for column in range(size)]
    height = {p: _height(size, p) for p in points}
    room = {p: min(_distance(p, q) for q in result) for p in points}

    def merit(p: int) -> tuple[bool, bool, int, int, int, int]:
        return room[p] > 0, room[p] > 1, min(height[p], 2), room[p], height[p], -p

    while len(result) < n:
        best = max(points, key=merit)
        result.append(best)
        for p in points:
            room[p] = min(room[p], _distance(p, best))
    return result


def _height(size: int, p: int) -> int:
    """How many lines lie between a point and the nearest edge."""
    row, column = row_and_column(p)
    return min(row, column, size - 1 - row, size - 1 - column)


def _distance(p: int, q: int) -> int:
    """The squared distance of two points."""
    (row, column), (row2, column2) = row_and_column(p), row_and_column(q)
    return (row - row2) ** 2 + (column - column2) ** 2
