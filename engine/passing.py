"""When to pass, and what to capture before: decisions at the end of a game.

A player that has a `Status` from `endgame.judge` can ask, in this order:

    if safe_to_pass(game, color, status, owners):   # nothing left to play for, and it wins
        return PASS
    capture = dead_to_capture(game, color, status)  # where dead stones must be taken off
    ...                                             # otherwise search

`settled` is careful: a stone whose status hangs on the next move, a chain in atari, a dead chain
that could still connect, all keep a game going. A pass that is not played costs a move in own
territory; a wrong one costs the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.endgame import CLEAR, Status, neighbours, sign
from engine.game import Game
from engine.geometry import BLACK, EMPTY, WHITE, opponent
from engine.position import Position
from engine.scoring import Counted, area_score, score_game
from engine.tactics.atari import effect
from engine.tactics.ladders import CAPTURED, LadderReader
from engine.tactics.life import unconditional_life
from engine.tactics.nakade import Status as EyeStatus
from engine.tactics.nakade import eye_space

# A chain with more liberties is no party to a race.
_FEW_LIBERTIES = 3

# --- Nothing left to play for -------------------------------------------------------------


def neutral_points(position: Position, status: Status) -> list[int]:
    """Empty points that are nobody's and where either side could play: not those of a seki."""
    shared = set(_liberties(position, status.seki))
    return [p for p in position.empty_points() if status.owners[p] == 0 and p not in shared]


def settled(
    position: Position, status: Status, owners: Mapping[int, float], dame: bool = True
) -> bool:
    """Whether nothing is left to play for: nobody gains by moving, and everybody knows.

    `dame` says that a neutral point is worth playing, as it is under area rules.
    """
    neutral = set(neutral_points(position, status))
    if status.doubtful or (dame and neutral):
        return False
    if any(
        abs(status.owners[p] - owners[p]) > 2 - 2 * CLEAR
        for p in position.empty_points()
        if status.owners[p] != 0
    ):
        return False
    return not _has_loose_chain(position, status, neutral)


def _has_loose_chain(position: Position, status: Status, neutral: set[int]) -> bool:
    """Whether a living chain can be caught, or a dead one saved, by whoever moves next."""
    safe = set().union(*(unconditional_life(position, color)[0] for color in (BLACK, WHITE)))
    alive, dead = set(status.alive), set(status.dead)
    ladders = LadderReader()
    for p in _heads(position, status.alive):
        if p not in safe and _can_be_caught(position, p, neutral, ladders):
            return True
    return any(_can_connect(position, p, alive, dead) for p in _heads(position, status.dead))


def _can_be_caught(position: Position, p: int, neutral: set[int], ladders: LadderReader) -> bool:
    """Whether a chain can be caught, now or when the enemy has filled its neutral liberties."""
    liberties = position.chain(p)[1]
    enemy = opponent(position.color_at(p))
    if len(liberties) == 1:
        return position.is_legal(enemy, liberties[0])
    later = position.copy()
    for q in liberties:
        if q in neutral and len(later.chain(p)[1]) > 2 and later.is_legal(enemy, q):
            later.play(enemy, q)
    return ladders.read(later, p, attacking=True) == CAPTURED


def _can_connect(position: Position, p: int, alive: set[int], dead: set[int]) -> bool:
    """Whether a dead chain joins living friends by one move that is not captured at once."""
    color = position.color_at(p)
    for q in position.chain(p)[1]:
        joins = any(r in alive and position.color_at(r) == color for r in neighbours(q))
        if joins and position.is_legal(color, q) and not effect(position, color, q).self_atari:
            return True
    return False


def _heads(position: Position, stones: Iterable[int]) -> list[int]:
    """One stone of each chain."""
    heads, seen = [], set()
    for p in stones:
        if p not in seen:
            heads.append(p)
            seen.update(position.chain(p)[0])
    return heads


def _liberties(position: Position, stones: Iterable[int]) -> list[int]:
    return [q for p in _heads(position, stones) for q in position.chain(p)[1]]


# --- The score, if everybody passes now ---------------------------------------------------


def removes_dead(game: Counted) -> bool:
    """Whether dead stones come off by agreement; under Tromp-Taylor all stones count."""
    return game.rules.name != "tromp-taylor"


def score_if_passed(game: Counted, status: Status, agreed: bool | None = None) -> float:
    """Black's score if both pass now. `agreed`: dead stones come off without being captured (by
    default as the rules have it). Territory that its owner must fill is none."""
    if agreed is None:
        agreed = removes_dead(game)
    if not agreed:
        return score_game(game)
    score = score_game(game, status.dead, status.seki)
    if game.rules.scoring == "territory":
        score -= sum(sign(color) for color in needed_fills(game.position, status).values())
    return score


def needed_fills(position: Position, status: Status) -> dict[int, int]:
    """Points of territory that must be filled once the neutral points are, and by whom.

    When all neutral points are played, chains that could connect there have done so. A group of
    chains that is left with one liberty then would be captured, so that point is no territory.
    """
    neutral = set(neutral_points(position, status))
    head_of = {q: p for p in _heads(position, status.alive) for q in position.chain(p)[0]}
    group_of = {p: {p} for p in head_of.values()}
    for p in neutral:
        for color in (BLACK, WHITE):
            meeting = {
                head_of[q] for q in neighbours(p) if q in head_of and position.color_at(q) == color
            }
            merged = set().union(*(group_of[head] for head in meeting))
            group_of.update(dict.fromkeys(merged, merged))
    fills = {}
    for group in {id(group): group for group in group_of.values()}.values():
        color = position.color_at(min(group))
        liberties = {q for p in group for q in position.chain(p)[1]}
        lasting = liberties - neutral
        if (
            len(lasting) == 1
            and liberties != lasting
            and status.owners[min(lasting)] == sign(color)
        ):
            fills[min(lasting)] = color
    return fills


def wins_by_passing(game: Game, color: int, status: Status, agreed: bool | None = None) -> bool:
    """Whether a colour has won if both pass now."""
    return sign(color) * score_if_passed(game, status, agreed) > 0


def safe_to_pass(
    game: Game,
    color: int,
    status: Status,
    owners: Mapping[int, float],
    agreed: bool | None = None,
) -> bool:
    """Whether a colour may pass: the game is settled and won, though the opponent plays on.

    Neutral points may be left if the game is won without any of them. Dead stones of the enemy
    need to be captured first where they would count.
    """
    area = game.rules.scoring == "area"
    neutral = neutral_points(game.position, status)
    if not settled(game.position, status, owners, dame=False):
        return False
    lost = len(neutral) if area else 0
    return sign(color) * score_if_passed(game, status, agreed) > lost


# --- Taking dead stones off ---------------------------------------------------------------


class Capture(NamedTuple):
    """A move that goes on capturing dead stones, and what there is to capture."""

    point: int
    chains: list[list[int]]


def dead_to_capture(game: Game, color: int, status: Status) -> Capture | None:
    """A harmless move towards capturing the enemy's dead stones, or None.

    None also if dead stones are left that can't be captured without harm.
    """
    position = game.position
    chains = [
        position.chain(p)[0]
        for p in _heads(position, status.dead)
        if position.color_at(p) == opponent(color)
    ]
    best = None
    for stones in chains:
        liberties = position.chain(stones[0])[1]
        for p in liberties:
            if is_harmless(game, color, p, status):
                # What needs fewest moves first; then what takes most.
                rank = (len(liberties), -len(stones), p)
                if best is None or rank < best[0]:
                    best = rank, p
    return None if best is None else Capture(best[1], chains)


def liberties_of_dead(position: Position, color: int, status: Status) -> set[int]:
    """Where the dead stones of a colour can be approached."""
    return set(_liberties(position, [p for p in status.dead if position.color_at(p) == color]))


def space_of_dead(position: Position, color: int, status: Status) -> set[int]:
    """The empty points of the spaces that the dead stones of a colour lie in."""
    dead = {p for p in status.dead if position.color_at(p) == color}
    seen, ahead = set(dead), list(dead)
    while ahead:
        for q in neighbours(ahead.pop()):
            if q not in seen and (q in dead or position.color_at(q) == EMPTY):
                seen.add(q)
                ahead.append(q)
    return seen - dead


def hangs_on_dead(position: Position, color: int, status: Status) -> bool:
    """Whether a chain of a colour lives only because the enemy around it is dead: it has few
    liberties, and shares all of them with dead stones. That is a race that is won but not played
    out, and whoever reads worse will call it otherwise."""
    shared = liberties_of_dead(position, opponent(color), status)
    if not shared:
        return False
    safe = unconditional_life(position, color)[0]
    mine = [p for p in status.alive if position.color_at(p) == color and p not in safe]
    for p in _heads(position, mine):
        liberties = position.chain(p)[1]
        if len(liberties) <= _FEW_LIBERTIES and shared.issuperset(liberties):
            return True
    return False


def is_harmless(game: Game, color: int, p: int, status: Status) -> bool:
    """Whether a move is legal and costs no area: no eye filled, no living stone endangered, no
    seki touched."""
    position = game.position
    if game.why_illegal(color, p) is not None or position.color_at(p) != EMPTY:
        return False
    if p in _liberties(position, status.seki):
        return False
    after = position.copy()
    after.play(color, p, suicide=True)
    taken = after.removed()
    if after.color_at(p) != color:
        return False  # suicide
    if position.is_eye(color, p) and not taken:
        return False
    dead = [q for q in status.dead if after.color_at(q) != EMPTY]
    own = sign(color) * area_score(position, status.dead)
    if p in status.dead or sign(color) * area_score(after, dead) < own:
        return False
    return _stays_alive(position, after, color, p, status)


def _stays_alive(position: Position, after: Position, color: int, p: int, status: Status) -> bool:
    """Whether the stones of a colour live on after its move at p as they did before."""
    before = set(unconditional_life(position, color)[0])
    living = set(unconditional_life(after, color)[0])
    if not before <= living:
        return False
    if p in living or any(q in before for q in neighbours(p)):
        return True
    if len(after.chain(p)[1]) == 1:
        return not effect(position, color, p).bad_self_atari  # a nakade may be given up
    if after.removed():
        return True
    # The move made a space smaller: if it holds one eye only now, there must be another.
    shrunk = [
        eye_space(after, q, color).status for q in neighbours(p) if after.color_at(q) == EMPTY
    ]
    endangered = (EyeStatus.DEAD, EyeStatus.UNSETTLED, EyeStatus.KO)
    return all(s not in endangered for s in shrunk) or _has_other_eye(after, color, p, status)


def _has_other_eye(after: Position, color: int, p: int, status: Status) -> bool:
    """Whether a group has an eye beside the space around p, as far as its chains hang together."""
    space = _territory(after, color, p, status)
    group, seen = set(), set()
    ahead = [q for r in space for q in neighbours(r) if after.color_at(q) == color]
    while ahead:
        q = ahead.pop()
        if q in group:
            continue
        stones = after.chain(q)[0]
        group.update(stones)
        for r in (r for s in stones for r in neighbours(s)):
            if r in space or r in seen or status.owners.get(r) != sign(color):
                continue
            if after.color_at(r) == color:
                continue
            other = _territory(after, color, r, status)
            seen |= other
            if len(other) > 1 or after.is_eye(color, r):
                return True
    return False


def _territory(after: Position, color: int, start: int, status: Status) -> set[int]:
    """The points of a colour's territory around one, a stone of its own aside."""
    region, ahead = set(), [start]
    while ahead:
        p = ahead.pop()
        if p in region or status.owners.get(p) != sign(color):
            continue
        if after.color_at(p) == color and p != start:
            continue
        region.add(p)
        ahead += neighbours(p)
    return region
