"""Scoring that anybody can check by reading: the twin of `engine/scoring.py`.

A position is a dict from (row, column) to BLACK, WHITE or EMPTY. Ownership is asked as the
Tromp-Taylor rules put it: which colours can be reached from here over empty points? Nothing
is shared with the engine.
"""

from __future__ import annotations

BLACK, WHITE, EMPTY = "black", "white", "empty"
Point = tuple[int, int]
Grid = dict[Point, str]


def neighbours(grid: Grid, point: Point) -> list[Point]:
    row, column = point
    around = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return [p for p in around if p in grid]


def connected(grid: Grid, start: Point) -> set[Point]:
    """The points of the same colour that hang together with a point."""
    found = {start}
    waiting = [start]
    while waiting:
        for p in neighbours(grid, waiting.pop()):
            if p not in found and grid[p] == grid[start]:
                found.add(p)
                waiting.append(p)
    return found


def whole_chains(grid: Grid, stones: list[Point]) -> set[Point]:
    result: set[Point] = set()
    for stone in stones:
        result |= connected(grid, stone)
    return result


def owner(grid: Grid, region: set[Point], seki: set[Point]) -> str:
    """Whose a chain or an empty region is on a board from which the dead stones are gone."""
    color = grid[min(region)]
    if color != EMPTY:
        return color
    border = {q for p in region for q in neighbours(grid, p) if grid[q] != EMPTY}
    colors = {grid[p] for p in border}
    if len(colors) != 1 or border & seki:
        return EMPTY
    return colors.pop()


def owners(grid: Grid, dead: list[Point], seki: list[Point]) -> Grid:
    gone = whole_chains(grid, dead)
    cleared = {p: EMPTY if p in gone else color for p, color in grid.items()}
    in_seki = whole_chains(grid, seki)
    result: Grid = {}
    for p in grid:
        if p not in result:
            region = connected(cleared, p)
            result |= dict.fromkeys(region, owner(cleared, region, in_seki))
    return result


def area(grid: Grid, dead: list[Point]) -> int:
    """Black's points minus White's: stones and surrounded points."""
    all_owners = list(owners(grid, dead, []).values())
    return all_owners.count(BLACK) - all_owners.count(WHITE)


def territory(grid: Grid, prisoners: dict[str, int], dead: list[Point], seki: list[Point]) -> int:
    """Black's points minus White's: surrounded points, prisoners by taker, dead stones."""
    gone = whole_chains(grid, dead)
    result = prisoners[BLACK] - prisoners[WHITE]
    for p, color in owners(grid, dead, seki).items():
        if grid[p] == EMPTY or p in gone:
            result += (color == BLACK) - (color == WHITE)
        if p in gone:
            result += 1 if grid[p] == WHITE else -1
    return result
