"""The slow twins of the features: the definitions of `knowledge/groups.py`, word for word.

A twin says the name of the value that a move has of a group, or None. Tactics are here, where and
when is in `feature_places.py`; patterns have twins of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.playout.shapes import rule_shapes
from knowledge.groups import BY_NAME, CRITICALITY_STEPS, GROUPS, NEED_PLAYOUTS
from tests.naive.atari import chain, is_bad_self_atari, neighbours
from tests.naive.board import DIAGONALS, EMPTY, after_move, is_eye, neighbourhood, on_board
from tests.naive.eyes import eye_kind
from tests.naive.feature_places import PLACE_TWINS, phase
from tests.naive.scene import Candidate, Captured, Chain, Look, Place, Scene, read_naively

Twin = Callable[[Candidate], str | None]


def _stones(chains: list[Chain]) -> str:
    n = sum(len(one.stones) for one in chains)
    if n <= 2:
        return "1 stone" if n == 1 else "2 stones"
    return "3-6 stones" if n <= 6 else "7+ stones"


def _up_to_4(n: int) -> str:
    return str(n) if n < 4 else "4+"


# --- Captures -----------------------------------------------------------------------------------


def _touches_taken(move: Candidate, chains: list[Chain]) -> bool:
    return any(move.look.touch(own, taken) for own in chains for taken in move.taken)


def _capture(move: Candidate) -> str | None:
    look = move.look
    if not move.taken:
        return None
    if _touches_taken(move, look.newly_in_atari):
        return "saves"
    if look.last_chain in move.taken:
        if look.scene.captured > 0:
            return "recaptures"
    elif look.last_chain in move.enemy_chains:
        return "parts"
    return "lost" if all(look.lost(one) for one in move.taken) else "escaper"


def _simple_capture(move: Candidate) -> str | None:
    look = move.look
    if not move.taken:
        return None
    for own in look.chains:
        in_atari = own.color == look.own and len(own.liberties) == 1
        is_helped = in_atari and _touches_taken(move, [own])
        if is_helped and len(chain(move.after, min(own.stones))[1]) > 1:
            return "saves"
    if look.last_chain in move.taken:
        return "recaptures" if look.scene.captured > 0 else "other"
    return "parts" if look.last_chain in move.enemy_chains else "other"


def _take(move: Candidate) -> str | None:
    look = move.look
    if not move.taken:
        return None
    weak = [one for one in look.chains if one.color == look.own and len(one.liberties) == 1]
    if _touches_taken(move, look.newly_in_atari):
        kind = "rescues new"
    elif _touches_taken(move, weak):
        kind = "rescues"
    elif look.last_chain in move.taken and look.scene.captured > 0:
        kind = "recaptures"
    elif look.last_chain is not None and look.last_chain in move.taken:
        kind = "last lost" if look.lost(look.last_chain) else "last"
    elif look.last_chain in move.enemy_chains:
        kind = "parts"
    elif any(not look.lost(one) for one in move.taken):
        kind = "escaper"
    else:
        kind = "lost"
    return f"{kind}, {_stones(move.taken)}"


# --- Own chains -----------------------------------------------------------------------------------


def _new_saved(move: Candidate) -> list[Chain]:
    return [one for one in move.saved if one in move.look.newly_in_atari]


def _extension(move: Candidate) -> str | None:
    if not _new_saved(move):
        return None
    return "lost" if all(move.look.lost(one) for one in _new_saved(move)) else "free"


def _simple_extension(move: Candidate) -> str | None:
    return "yes" if _new_saved(move) else None


def _save(move: Candidate) -> str | None:
    if not move.saved:
        return None
    liberties = len(move.new_chain.liberties)
    if liberties == 1:
        outcome = "dies"
    elif liberties >= 3:
        outcome = "free"
    else:
        outcome = "ladder" if all(move.look.lost(one) for one in move.saved) else "two"
    return f"{'new' if _new_saved(move) else 'old'}, {outcome}, {_stones(move.saved)}"


def _own_liberties(move: Candidate) -> str | None:
    counts = [len(one.liberties) for one in move.own_chains if len(one.liberties) >= 2]
    if not counts or min(counts) > 4:
        return None
    weakness = str(min(counts))
    twos = [one for one in move.own_chains if len(one.liberties) == 2]
    if any(move.look.threatened(one) for one in twos):
        weakness = "threatened"
    after = len(move.new_chain.liberties)
    return f"{weakness}, to {after if after < 5 else '5+'}"


def _self_atari(move: Candidate) -> str | None:
    return "yes" if len(move.new_chain.liberties) == 1 else None


def _is_bad(move: Candidate) -> bool:
    return is_bad_self_atari(move.look.scene.grid, move.place, move.look.own)


def _self_atari_kind(move: Candidate) -> str | None:
    if len(move.new_chain.liberties) != 1:
        return None
    if not _is_bad(move):
        return "good"
    return "small" if len(move.new_chain.stones) <= 2 else "big"


def _chain_self_atari(move: Candidate) -> str | None:
    if not move.own_chains or len(move.new_chain.liberties) != 1:
        return None
    return "bad" if _is_bad(move) else "good"


# --- Enemy chains ---------------------------------------------------------------------------------


def _atari(move: Candidate) -> str | None:
    if not move.attacked:
        return None
    if any(move.look.works(one, move.place) for one in move.attacked):
        return "ladder"
    return "ko" if move.look.scene.is_barred_by_ko() else "other"


def _simple_atari(move: Candidate) -> str | None:
    if not move.attacked:
        return None
    return "ko" if move.look.scene.is_barred_by_ko() else "other"


def _works_elsewhere(move: Candidate, one: Chain) -> bool:
    (other,) = one.liberties - {move.place}
    return move.look.works(one, other)


def _threat(move: Candidate) -> str | None:
    if not move.attacked:
        return None
    in_ladder = [one for one in move.attacked if move.look.works(one, move.place)]
    if any(len(one.stones) >= 3 for one in in_ladder):
        return "big ladder"
    if in_ladder:
        return "ladder"
    if len(move.attacked) >= 2:
        return "double"
    if any(_works_elsewhere(move, one) for one in move.attacked):
        return "wrong side"
    if move.look.scene.is_barred_by_ko():
        return "ko"
    if move.look.last_chain in move.attacked:
        return "last"
    return "big" if any(len(one.stones) >= 3 for one in move.attacked) else "other"


def _net(move: Candidate) -> str | None:
    caught = move.look.nets.get(move.place)
    if not caught:
        return None
    return "big" if any(len(one.stones) >= 3 for one in caught) else "small"


# --- Contact, eyes and ko -------------------------------------------------------------------------


def _state(chains: list[Chain], side: str) -> str:
    if not chains:
        return f"no {side}"
    weakest = min(len(one.liberties) for one in chains)
    return f"{min(len(chains), 2)} {side} {_up_to_4(weakest)}"


def _contact(move: Candidate) -> str | None:
    if not move.own_chains and not move.enemy_chains:
        return None
    return f"{_state(move.own_chains, 'own')}, {_state(move.enemy_chains, 'enemy')}"


def _answer(move: Candidate) -> str | None:
    look = move.look
    theirs, ours = "no theirs", "no ours"
    if look.last_chain is not None and move.place in look.last_chain.liberties:
        theirs = f"theirs {_up_to_4(len(look.last_chain.liberties))}"
    counts = [len(one.liberties) for one in look.beside_last if move.place in one.liberties]
    if counts:
        ours = f"ours {_up_to_4(min(counts))}"
    return None if (theirs, ours) == ("no theirs", "no ours") else f"{theirs}, {ours}"


def _decides_eye(move: Candidate, owner: int) -> bool:
    """Whether a stone of the other side at a diagonal makes a real eye of the owner's false."""
    grid = move.look.scene.grid
    disturbed = grid.copy()
    disturbed[move.place] = 3 - owner
    corners = [(move.place[0] + up, move.place[1] + right) for up, right in DIAGONALS]
    return any(
        on_board(grid, *e) and is_eye(grid, *e, owner) and not is_eye(disturbed, *e, owner)
        for e in corners
    )


def _eye(move: Candidate) -> str | None:
    look = move.look
    for side, color in (("own", look.own), ("enemy", look.enemy)):
        kind = eye_kind(look.scene.grid, *move.place, color)
        if kind != "NONE":
            return f"{side} {kind.lower()}"
    if _decides_eye(move, look.own):
        return "guards"
    return "spoils" if _decides_eye(move, look.enemy) else None


def _takes_ko(move: Candidate, color: int) -> bool:
    after, captured, lost = after_move(move.look.scene.grid, *move.place, color)
    if captured != 1 or lost:
        return False
    stones, liberties = chain(after, move.place)
    return len(stones) == 1 and len(liberties) == 1


def _ko(move: Candidate) -> str | None:
    if _takes_ko(move, move.look.own):
        return "take"
    if _takes_ko(move, move.look.enemy):
        return "fill"
    forcing = move.taken or move.attacked
    return "threat" if move.look.scene.is_barred_by_ko() and forcing else None


# --- Playouts -------------------------------------------------------------------------------------


def _takes_last(move: Candidate) -> bool:
    return move.look.last_chain in move.taken


def _saves_by_rule(move: Candidate) -> bool:
    for one in move.look.newly_in_atari:
        if move.place in one.liberties and len(move.new_chain.liberties) >= 2:
            return True
        if any(move.look.touch(one, taken) for taken in move.taken):
            return True
    return False


def _attacks_last(move: Candidate) -> bool:
    return move.look.last_chain in move.attacked


def _defends_two(move: Candidate) -> bool:
    weak = [one for one in move.own_chains if len(one.liberties) == 2]
    near = any(one in move.look.beside_last for one in weak)
    return near and len(move.new_chain.liberties) >= 3


def _is_vital(move: Candidate) -> bool:
    return move.place in move.look.vital


def _makes_shape(move: Candidate, near: Place | None) -> bool:
    if near is None:
        return False
    steps = abs(move.place[0] - near[0]), abs(move.place[1] - near[1])
    code = neighbourhood(move.look.scene.grid, *move.place)
    return max(steps) == 1 and bool(rule_shapes()[code])


def _playout(move: Candidate) -> str | None:
    scene = move.look.scene
    allowed = not is_eye(scene.grid, *move.place, move.look.own) and not _is_bad(move)
    if allowed and scene.move(1) is not None:
        if _takes_last(move):
            return "take last"
        if _saves_by_rule(move):
            return "save"
        if _attacks_last(move) and len(move.new_chain.liberties) >= 2:
            return "attack"
        if _defends_two(move):
            return "defend"
        if _is_vital(move):
            return "nakade"
        if _makes_shape(move, scene.move(1)):
            return "shape"
        if _makes_shape(move, scene.move(2)):
            return "second shape"
    if move.taken:
        return "capture"
    return None if allowed else "filtered"


def _reply_extension(move: Candidate) -> str | None:
    return "yes" if _new_saved(move) and len(move.new_chain.liberties) >= 2 else None


def _contiguity(move: Candidate) -> str | None:
    last = move.look.scene.move(1)
    if last is None:
        return None
    if last in neighbours(move.look.scene.grid, move.place):
        return "beside"
    steps = abs(move.place[0] - last[0]), abs(move.place[1] - last[1])
    return "diagonal" if steps == (1, 1) else None


def _yes(test: Callable[[Candidate], bool]) -> Twin:
    return lambda move: "yes" if test(move) else None


# --- All together ---------------------------------------------------------------------------------

TWINS: Mapping[str, Twin] = {
    "capture": _capture,
    "extension": _extension,
    "self_atari": _self_atari,
    "atari": _atari,
    "simple_capture": _simple_capture,
    "simple_extension": _simple_extension,
    "simple_atari": _simple_atari,
    "playout": _playout,
    "reply_capture": _yes(_takes_last),
    "reply_extension": _reply_extension,
    "contiguity": _contiguity,
    "chain_self_atari": _chain_self_atari,
    "take": _take,
    "save": _save,
    "own_liberties": _own_liberties,
    "threat": _threat,
    "self_atari_kind": _self_atari_kind,
    "contact": _contact,
    "eye": _eye,
    "ko": _ko,
    "net": _net,
    "answer": _answer,
    **PLACE_TWINS,
}
# Groups whose values are of passes only.
PASS_GROUPS = ("pass", "pass_phase")
NAIVE_GROUPS = tuple(
    group.name for group in GROUPS if not group.learned and group.name not in NEED_PLAYOUTS
)


def pass_names(scene: Scene) -> dict[str, str]:
    """The values of a pass."""
    kind = "after pass" if scene.moves and scene.moves[0] is None else "after move"
    return {"pass": kind, "pass_phase": f"{kind}, quarter {phase(scene) // 3 + 1}"}


def naive_names(
    scene: Scene, captured: Captured = read_naively, groups: tuple[str, ...] = NAIVE_GROUPS
) -> dict[Place | None, dict[str, str]]:
    """For every legal move, None for the pass, the name of its value by the group's name."""
    look = Look(scene, captured)
    result: dict[Place | None, dict[str, str]] = {None: pass_names(scene)}
    for place in scene.legal_places():
        move = Candidate(look, place)
        names = {name: TWINS[name](move) for name in groups if name not in PASS_GROUPS}
        result[place] = {name: value for name, value in names.items() if value is not None}
    result[None] = {name: value for name, value in result[None].items() if name in groups}
    return result


def naive_features(
    scene: Scene, captured: Captured = read_naively, groups: tuple[str, ...] = NAIVE_GROUPS
) -> dict[Place | None, dict[str, int]]:
    """The same with the numbers of the values; a group without a value is missing."""
    return {
        place: {name: BY_NAME[name].number(value) for name, value in names.items()}
        for place, names in naive_names(scene, captured, groups).items()
    }


# --- From playouts --------------------------------------------------------------------------------


def owner_number(owned: int) -> int:
    """The value of `owner` for a point that the mover owns in so many of 63 playouts."""
    (number,) = (i for i in range(8) if 8 * i <= owned <= 8 * i + 7)
    return number


def criticality_number(playouts: list[tuple[int, int]]) -> int:
    """The value of `criticality` from the winner and the point's owner of every playout, 0 for
    neither side."""
    n = len(playouts)
    together = sum(winner == owner != EMPTY for winner, owner in playouts)
    chance = sum(
        sum(winner == side for winner, _ in playouts) * sum(owner == side for _, owner in playouts)
        for side in (1, 2)
    )
    return sum(100 * (n * together - chance) >= step * n * n for step in CRITICALITY_STEPS)
