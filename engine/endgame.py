"""The end of a game: which stones are alive, dead or in seki.

`judge` begins with an owner map, who owned each point in the playouts of a search, and lets
tactics overrule it where they know better:

- unconditionally living stones live, and enemy stones in their eyes are dead;
- a bent four in the corner is dead, a simple seki is one;
- chains that meet in territory of their own share one fate;
- a group whose only eye is a dead shape is dead, however many playouts let it live;
- two enemy chains that share liberties and die as often as each other stand in seki;
- dead stones that only friends surround are alive.

What the map leaves open, or what hangs on who moves next, is listed as doubtful: stones that
nobody should pass for. `passing.py` builds on that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from engine import scoring
from engine.geometry import BLACK, EMPTY, OFF, PASS, STRIDE, WHITE, opponent
from engine.position import Position
from engine.tactics.life import is_dead_bent_four, stands_in_seki, unconditional_life
from engine.tactics.nakade import Status as EyeStatus
from engine.tactics.nakade import eye_space, would_form_dead_shape

if TYPE_CHECKING:
    from engine.playout.policy import Runner

# A point or a chain whose mean owner is beyond this, from -1 to 1, is somebody's beyond dispute.
CLEAR = 0.5
# Playouts break up a seki one way or the other, about as often; smaller chains are nakades.
_SEKI_LEAST_KEPT, _SEKI_ALIKE, _SEKI_STONES = -0.25, 0.3, 4
_LARGEST_EYE = 6


class Status(NamedTuple):
    """All stones of the board, sorted: each is alive, dead or in seki. `owners` says whose each
    point is then: 1 Black's, -1 White's, 0 nobody's. `doubtful` lists the stones whose status is
    only a guess; each is in one of the other lists too."""

    alive: list[int]
    dead: list[int]
    seki: list[int]
    owners: dict[int, float]
    doubtful: list[int]


@dataclass(eq=False)
class _Chain:
    """A chain and what is thought of it. `kept` is its points' mean owner, 1 if always its own."""

    color: int
    stones: list[int]
    liberties: list[int]
    kept: float
    fate: str = ""
    certain: bool = False
    doubtful: bool = False

    def decide(self, fate: str, certain: bool = False, doubtful: bool = False) -> None:
        self.fate, self.certain, self.doubtful = fate, certain, doubtful


def neighbours(p: int) -> tuple[int, int, int, int]:
    """The four points beside a point, on the board or not."""
    return p - STRIDE, p - 1, p + 1, p + STRIDE


def sign(color: int) -> int:
    """How a colour's ownership is written: 1 for Black, -1 for White."""
    return 1 if color == BLACK else -1


def judge(position: Position, owners: Mapping[int, float]) -> Status:
    """The status of all stones, from each point's mean owner (1 is Black's, -1 is White's)."""
    judgement = _Judgement(position, owners)
    judgement.use_certain_knowledge()
    judgement.use_owners()
    judgement.find_sekis()
    judgement.kill_one_eyed()
    judgement.revive_enclosed()
    return judgement.status()


class _Judgement:
    """One position being judged."""

    def __init__(self, position: Position, owners: Mapping[int, float]) -> None:
        self.position = position
        self.owners = owners
        self.chains: list[_Chain] = []
        self.at: dict[int, _Chain] = {}
        for color in (BLACK, WHITE):
            for p in position.stones(color):
                if p not in self.at:
                    stones, liberties = position.chain(p)
                    kept = sign(color) * float(sum(owners[q] for q in stones)) / len(stones)
                    chain = _Chain(color, stones, liberties, kept)
                    self.chains.append(chain)
                    self.at.update(dict.fromkeys(stones, chain))

    # --- What needs no map -------------------------------------------------------------

    def use_certain_knowledge(self) -> None:
        """Decide the chains about which there can't be two opinions."""
        for color in (BLACK, WHITE):
            alive, territory = unconditional_life(self.position, color)
            for p in alive:
                self.at[p].decide("alive", certain=True)
            for p in territory:
                if p in self.at and self.at[p].color != color:
                    self.at[p].decide("dead", certain=True)
        for chain in self.chains:
            p = chain.stones[0]
            if chain.certain:
                continue
            if is_dead_bent_four(self.position, p):
                chain.decide("dead", certain=True)
                for killer in self.touching(chain.liberties, opponent(chain.color)):
                    if set(killer.liberties) == set(chain.liberties):
                        killer.decide("alive", certain=True)
            elif stands_in_seki(self.position, p):
                chain.decide("seki", certain=True)

    def touching(self, points: Iterable[int], color: int) -> list[_Chain]:
        """The chains of a colour beside some points, each once."""
        found = {
            id(self.at[q]): self.at[q]
            for p in points
            for q in neighbours(p)
            if q in self.at and self.at[q].color == color
        }
        return list(found.values())

    # --- What the map says -------------------------------------------------------------

    def use_owners(self) -> None:
        """Decide all other chains by the map, those of one group together."""
        for group in self.groups():
            size = sum(len(chain.stones) for chain in group)
            kept = sum(chain.kept * len(chain.stones) for chain in group) / size
            for chain in group:
                if not chain.certain:
                    chain.decide("alive" if kept > 0 else "dead", doubtful=abs(kept) < CLEAR)

    def groups(self) -> list[list[_Chain]]:
        """The chains by groups: those of a colour that meet at a point that is clearly owned."""
        group_of = {id(chain): [chain] for chain in self.chains}
        for p in self.position.empty_points():
            if abs(self.owners[p]) < CLEAR:
                continue
            for color in (BLACK, WHITE):
                meeting = self.touching([p], color)
                for chain in meeting[1:]:
                    merged, other = group_of[id(meeting[0])], group_of[id(chain)]
                    if merged is not other:
                        merged += other
                        group_of.update((id(member), merged) for member in other)
        return list({id(group): group for group in group_of.values()}.values())

    # --- Seki --------------------------------------------------------------------------

    def find_sekis(self) -> None:
        """Put enemies in seki that depend on each other, by the map and by their liberties."""
        for chain in self.chains:
            if chain.color == BLACK and not chain.certain:
                for enemy in self.touching(chain.liberties, WHITE):
                    if enemy.certain:
                        continue
                    locked = self.is_locked(chain, enemy)
                    if locked or self.die_alike(chain, enemy):
                        sure = locked or self.is_standoff(chain, enemy)
                        chain.decide("seki", doubtful=not sure)
                        enemy.decide("seki", doubtful=not sure)

    def is_locked(self, black: _Chain, white: _Chain) -> bool:
        """Whether two chains share their only two liberties, and whoever plays there loses all.

        The captor must live with what it gains, by two eyes or by reaching a friend.
        """
        shared = black.liberties
        if len(shared) != 2 or shared != white.liberties:
            return False
        own = {*shared, *black.stones, *white.stones}
        if any(
            q not in own and self.position.color_at(q) != OFF for p in shared for q in neighbours(p)
        ):
            return False
        for chain, captor in ((black, white), (white, black)):
            friends = [
                friend
                for friend in self.touching(chain.stones, captor.color)
                if friend is not captor and friend.fate == "alive" and not friend.doubtful
            ]
            if any(len(friend.liberties) == 1 for friend in friends):
                return False
            if not friends and any(
                would_form_dead_shape(self.position, chain.color, p) for p in chain.liberties
            ):
                return False
        return True

    def die_alike(self, black: _Chain, white: _Chain) -> bool:
        """Whether two chains with common liberties die as often as each other in playouts."""
        return (
            bool(set(black.liberties) & set(white.liberties))
            and min(len(black.stones), len(white.stones)) >= _SEKI_STONES
            and min(black.kept, white.kept) > _SEKI_LEAST_KEPT
            and max(black.kept, white.kept) < CLEAR
            and abs(black.kept + white.kept) < _SEKI_ALIKE
        )

    def is_standoff(self, black: _Chain, white: _Chain) -> bool:
        """Whether neither can approach: all liberties are shared, or single-point eyes of one."""
        shared = set(black.liberties) & set(white.liberties)
        eyes = []
        for chain in (black, white):
            others = set(chain.liberties) - shared
            if any(self.borders(p) != {chain.color} for p in others):
                return False
            eyes.append(len(others))
        return (len(shared) >= 2 and eyes == [0, 0]) or min(eyes) == 1

    def borders(self, p: int) -> set[int]:
        """What is beside a point, off the board aside."""
        return {self.position.color_at(q) for q in neighbours(p)} - {OFF}

    # --- One-eyed groups ---------------------------------------------------------------

    def kill_one_eyed(self) -> None:
        """Overrule the map where a group's only eye is a dead shape, or not settled."""
        groups = self.groups()
        secure = {id(chain) for group in groups if self.is_secure(group) for chain in group}
        for group in groups:
            if any(chain.certain or chain.fate == "seki" for chain in group):
                continue
            eye = self.only_eye(group, secure)
            if eye == PASS:
                continue
            status = eye_space(self.position, eye, group[0].color).status
            for chain in group:
                if status in (EyeStatus.UNSETTLED, EyeStatus.KO):
                    chain.doubtful = True
                elif status == EyeStatus.DEAD and chain.fate == "alive":
                    chain.decide("dead", doubtful=True)

    def is_secure(self, group: list[_Chain]) -> bool:
        """Whether a group lives for certain, or has room enough for two eyes whatever happens."""
        if any(chain.fate != "alive" for chain in group):
            return False
        liberties = {p for chain in group for p in chain.liberties}
        own = [p for p in liberties if sign(group[0].color) * self.owners[p] > CLEAR]
        return all(chain.certain for chain in group) or len(own) > _LARGEST_EYE

    def only_eye(self, group: list[_Chain], secure: set[int]) -> int:
        """A point of the one small region inside a group that secure enemies have closed off.

        PASS if there are more such regions, or if the group may live otherwise: by territory
        outside, by connecting, or by capturing one of its enemies.
        """
        color = group[0].color
        inside: list[set[int]] = []
        outside = []
        for p in {p for chain in group for p in chain.liberties}:
            if not any(p in region for region in inside):
                region = self.region(p, color)
                if len(region) <= _LARGEST_EYE:
                    inside.append(region)
                else:
                    outside.append(p)
        if len(inside) != 1:
            return PASS
        members = {id(chain) for chain in group}
        friends = self.touching([*inside[0], *outside], color)
        enemies = [
            enemy
            for enemy in self.touching(
                (p for chain in group for p in chain.stones), opponent(color)
            )
            if enemy.stones[0] not in inside[0]
        ]
        lost = (
            all(sign(color) * self.owners[p] <= 0 for p in outside)
            and all(id(chain) in members for chain in friends)
            and all(id(enemy) in secure for enemy in enemies)
        )
        return min(inside[0]) if lost else PASS

    def region(self, start: int, color: int) -> set[int]:
        """The points around one that are not of a colour; a few too many if there are many."""
        region, ahead = {start}, [start]
        while ahead and len(region) <= _LARGEST_EYE:
            for q in neighbours(ahead.pop()):
                if q not in region and self.position.color_at(q) not in (color, OFF):
                    region.add(q)
                    ahead.append(q)
        return region

    # --- The whole ---------------------------------------------------------------------

    def revive_enclosed(self) -> None:
        """Stones that were given up but lie among living friends only are alive."""
        for region in self.dead_regions():
            border = {self.at[p].color for p in region.border}
            for color in (BLACK, WHITE):
                if border == {color}:
                    for chain in region.dead:
                        if chain.color == color and not chain.certain:
                            chain.decide("alive", doubtful=True)

    def dead_regions(self) -> list[_Region]:
        """The regions of empty points and dead stones."""
        seen: set[int] = set()
        regions = []
        for start in self.position.points():
            if start not in seen and not self.is_living(start):
                region = self.walk(start)
                seen |= region.points
                regions.append(region)
        return regions

    def is_living(self, p: int) -> bool:
        return p in self.at and self.at[p].fate != "dead"

    def walk(self, start: int) -> _Region:
        region = _Region({start}, [], set())
        ahead = [start]
        while ahead:
            p = ahead.pop()
            if p in self.at and self.at[p] not in region.dead:
                region.dead.append(self.at[p])
            for q in neighbours(p):
                if self.is_living(q):
                    region.border.add(q)
                elif q not in region.points and self.position.color_at(q) != OFF:
                    region.points.add(q)
                    ahead.append(q)
        return region

    def status(self) -> Status:
        by_fate: dict[str, list[int]] = {"alive": [], "dead": [], "seki": []}
        doubtful = []
        for chain in self.chains:
            by_fate[chain.fate] += chain.stones
            if chain.doubtful:
                doubtful += chain.stones
        after = scoring.owners(self.position, by_fate["dead"])
        return Status(
            sorted(by_fate["alive"]),
            sorted(by_fate["dead"]),
            sorted(by_fate["seki"]),
            {p: 0.0 if owner == EMPTY else float(sign(owner)) for p, owner in after.items()},
            sorted(doubtful),
        )


class _Region(NamedTuple):
    """Points that no living stone occupies, the dead chains among them, the living around."""

    points: set[int]
    dead: list[_Chain]
    border: set[int]


def owner_map(
    position: Position, policy: str = "rules", playouts: int = 400, seed: int = 1
) -> dict[int, float]:
    """Each point's mean owner by playouts, when no search has been made.

    Either side begins half of them: at the end of a game the turn should not matter.
    """
    from engine.playout.policy import Runner, named_policy

    return sampled_owners(position, Runner(named_policy(policy, position.size), seed), playouts)


def sampled_owners(position: Position, runner: Runner, playouts: int) -> dict[int, float]:
    """The same by a runner that is there already."""
    half = max(1, playouts // 2)
    _, black = runner.sample(position, BLACK, half)
    _, white = runner.sample(position, WHITE, half)
    return {p: float(black[p] + white[p]) / 2 for p in black}
