"""How games begin, so that engines without chance don't play the same game again and again.

    random:N      N moves at random, White's always opposite to Black's, so that nobody is ahead
    FILE.sgf:N    the first N moves of the games of a collection, in any packaging

Both games of a pair start with the same opening, with colours swapped.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.game import Game, IllegalMove
from engine.geometry import BLACK, PASS, WHITE, point, row_and_column
from engine.rules import Rules
from engine.vertex import parse_vertex, vertex_text

DEFAULT_MOVES = 4
NO_OPENINGS = "none"
_TRIES = 1000  # points for one opening
_STARTS = 40  # of an opening that the first stones leave no room for
_COUNTED = re.compile(r"(.+):([0-9]{1,9})", re.DOTALL)

Opening = tuple[str, ...]
Openings = Callable[[int], Opening]  # by the number of the pair


class BadOpenings(ValueError):
    """There are no such openings; the text says why."""


@dataclass(frozen=True)
class NamedOpenings:
    """Openings with a text that is the same for the same openings only, given a seed."""

    text: str
    of_pair: Openings

    def __call__(self, pair: int) -> Opening:
        return self.of_pair(pair)


def parse_openings(text: str, size: int, rules: Rules, seed: int) -> NamedOpenings:
    """Openings from what somebody wrote."""
    match = _COUNTED.fullmatch(text)
    name, moves = (match[1], int(match[2])) if match else (text, DEFAULT_MOVES)
    if name == NO_OPENINGS or moves == 0:
        return NamedOpenings(NO_OPENINGS, lambda pair: ())
    if moves > size * size:
        raise BadOpenings(f"openings of {moves} moves find no room on {size}x{size}")
    if name == "random":
        random_opening(size, moves, rules, seed, 0)  # to hear now if there is no room
        return NamedOpenings(
            f"random:{moves}", lambda pair: random_opening(size, moves, rules, seed, pair)
        )
    return _from_records(Path(name), size, moves, rules, seed)


def random_opening(size: int, moves: int, rules: Rules, seed: int, pair: int) -> Opening:
    """Random moves away from the edge, each of White's the mirror of Black's through the centre."""
    chance = random.Random(f"{seed} {pair}")
    longest = 0
    for _ in range(_STARTS):
        opening = _at_random(size, moves, rules, chance)
        if len(opening) == moves:
            return opening
        longest = max(longest, len(opening))
    raise BadOpenings(f"random:{moves}: only {longest} moves find room on {size}x{size}")


def _at_random(size: int, moves: int, rules: Rules, chance: random.Random) -> Opening:
    """As many moves as find room."""
    edge = 2 if size >= 9 else 1 if size >= 5 else 0
    inside = range(edge, size - edge)
    game = Game(size, 0.0, rules)
    for _ in range(_TRIES):
        if len(game.moves) >= moves:
            break
        row, column = chance.choice(inside), chance.choice(inside)
        p, mirror = point(row, column), point(size - 1 - row, size - 1 - column)
        # Mirrored stones beside each other would be a fight at once.
        from_centre = abs(2 * row - size + 1) + abs(2 * column - size + 1)
        if p == mirror or from_centre < 3 or _touches(game, p):
            continue
        game.play(BLACK, p)
        if len(game.moves) < moves:
            game.play(WHITE, mirror)
    return tuple(vertex_text(move.point) for move in game.moves)


def _touches(game: Game, p: int) -> bool:
    """Whether a point is taken or beside a stone: first moves are no fights."""
    row, column = row_and_column(p)
    near = {p, *(point(row + i, column + j) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0)))}
    return any(move.point in near for move in game.moves)


def _from_records(path: Path, size: int, moves: int, rules: Rules, seed: int) -> NamedOpenings:
    """The first moves of each fitting game of a file or folder, all different, in random order."""
    from knowledge.filters import Filters
    from knowledge.records import BadRecords, read_games

    try:
        games = read_games([path], Filters(size=size, even=True, min_moves=moves), progress=False)
    except BadRecords as error:
        raise BadOpenings(str(error)) from None
    except OSError as error:
        raise BadOpenings(f"cannot read {path}: {error.strerror}") from None
    found: dict[Opening, None] = {}
    turns = [BLACK, WHITE] * moves
    for record in games:
        points = record.points[:moves].tolist()
        if PASS not in points and record.colors[:moves].tolist() == turns[:moves]:
            found[tuple(map(vertex_text, points))] = None
    chosen = [opening for opening in found if _fits(opening, size, rules)]
    if not chosen:
        raise BadOpenings(f"{path}: no game on {size}x{size} that starts with {moves} moves")
    random.Random(seed).shuffle(chosen)
    digest = hashlib.blake2b(repr(chosen).encode("ascii"), digest_size=6).hexdigest()
    return NamedOpenings(f"{path.name}:{moves} ({digest})", lambda pair: chosen[pair % len(chosen)])


def _fits(opening: Opening, size: int, rules: Rules) -> bool:
    """Whether an opening is legal by the rules of this match."""
    try:
        play_opening(Game(size, 0.0, rules), opening)
    except IllegalMove:
        return False
    return True


def play_opening(game: Game, opening: Opening) -> None:
    """Put an opening on the board. IllegalMove if it does not fit."""
    for vertex in opening:
        game.play(game.to_move, parse_vertex(vertex, game.size))
