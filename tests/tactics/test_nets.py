"""Nets: the classic cases as diagrams, and the search against its twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from engine.geometry import PASS, point, row_and_column
from engine.position import Position
from engine.tactics.ladders import ESCAPES, NET_CANDIDATES, LadderReader
from engine.tactics.nets import NetReader
from tests.diagrams import Diagram, picture
from tests.naive.ladders import Budget, Point, State, is_net, net_area
from tests.tactics.positions import chains, game_positions, random_positions, state_of

PLENTY = 100_000

# The prey is @, no ladder takes it; n marks the nets, of which m is the nearest.
NETS = {
    "the classic net on one stone": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . O . . .
        . . . n . . . . .
        . X . m n . . . .
        . X @ . . . . . .
        . O X X . . . . .
        . . O . . . . . .
    """,
    "two stones": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . O O .
        . . . . n . . . .
        . . X . m n . . .
        . X @ @ . . . . .
        . . X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "a friend so near that only the tight net holds": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . O . . . . .
        . X . m . . . . .
        . X @ . . . . . .
        . O X X . . . . .
        . . O . . . . . .
    """,
    "a friend inside": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X . O . . . . .
        . X @ . . . . . .
        . O X X . . . . .
        . . O . . . . . .
    """,
    "a plain crosscut is too open": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
        . X @ . . . . . .
        . O X . . . . . .
        . . . . . . . . .
    """,
    "a seki is no net": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X X X .
        @ @ @ @ @ @ X
        . X X X . @ X
    """,
}


@pytest.mark.parametrize("name", NETS)
def test_classic_case(name):
    diagram = Diagram(NETS[name])
    position, prey = diagram.position, diagram.all("@")[0]
    before = position.record.copy()
    reader = NetReader()
    assert LadderReader().read(position, prey, attacking=True) == ESCAPES
    assert reader.capture(position, prey) in (diagram.all("m") or [PASS])
    assert position.record == before
    state, stone = state_of(position), row_and_column(prey)
    nets = {p for p in net_area(state, stone) if is_net(state, stone, p, Budget(PLENTY))}
    assert nets == {row_and_column(p) for p in diagram.all("m") + diagram.all("n")}


def test_nets_are_only_for_two_liberties():
    position = Position.from_stones(9, [point(4, 3), point(0, 1)], [point(4, 4), point(0, 0)])
    reader = NetReader()
    for prey in (point(4, 4), point(0, 0)):
        assert reader.capture(position, prey) == PASS
        assert reader.candidates() == []


def test_a_low_limit_finds_nothing_rather_than_something_wrong():
    diagram = Diagram(NETS["the classic net on one stone"])
    reader = NetReader()
    assert reader.capture(diagram.position, diagram["@"]) == diagram["m"]
    needed = reader.nodes
    for limit in range(needed + 1):
        reader.limit = limit
        assert reader.capture(diagram.position, diagram["@"]) in (
            PASS,
            diagram["m"],
            *diagram.all("n"),
        )
    assert reader.capture(diagram.position, diagram["@"]) == diagram["m"]
    reader.limit = 0
    assert reader.capture(diagram.position, diagram["@"]) == PASS


def test_bad_questions_are_refused():
    reader = NetReader()
    for p in (PASS, point(5, 5), -1, 10_000):
        with pytest.raises(ValueError, match="^no stone there$"):
            reader.capture(Position(9), p)
    with pytest.raises(ValueError, match="^a negative limit$"):
        NetReader(limit=-1)


# --- Against the twin ----------------------------------------------------------------------


def _may_be_left_out(state: State, prey: Point, p: Point) -> bool:
    """Whether the search need not read a net stone: it stands in atari, or leaves an extension
    with four liberties."""
    color = int(state.grid[prey])
    after = state.after(3 - color, p)
    if len(after.chain(p)[1]) < 2:
        return True
    return any(
        after.may_play(color, e) and len(after.after(color, e).chain(prey)[1]) >= 4
        for e in after.chain(prey)[1]
    )


def _compare(positions: Iterable[Position]) -> Counter[str]:
    """Look for a net around every chain with two liberties, candidates included; count them."""
    reader = NetReader(PLENTY)
    seen: Counter[str] = Counter()
    for position in positions:
        state = state_of(position)
        for stone, n in chains(position):
            if n != 2:
                continue
            prey = row_and_column(stone)
            found = reader.capture(position, stone)
            candidates = [row_and_column(p) for p in reader.candidates()]
            nets = [p for p in candidates if is_net(state, prey, p, Budget(PLENTY))]
            story = f"{picture(position)}\n{prey} {candidates} {nets}"
            assert (row_and_column(found) if found else None) == (nets[0] if nets else None), story
            area = net_area(state, prey)
            assert len(set(candidates)) == len(candidates), story
            assert set(candidates) <= area, story
            left_out = area - set(candidates)
            if len(candidates) < NET_CANDIDATES:
                assert all(_may_be_left_out(state, prey, p) for p in left_out), story
            seen["net" if nets else "none"] += 1
            seen["full"] += len(candidates) == NET_CANDIDATES
    return seen


def test_it_agrees_with_its_twin_in_random_positions():
    seen = _compare(random_positions(count=120, seed=3))
    assert seen["net"] > 10
    assert seen["none"] > 100


@pytest.mark.parametrize(("name", "games", "every"), [("dan9-valid", 10, 10), ("kgs-valid", 2, 30)])
def test_it_agrees_with_its_twin_in_real_games(shared_data, name, games, every):
    seen = _compare(game_positions(shared_data / f"{name}.sgf.xz", games, every))
    assert seen["net"] > 0
    assert seen["none"] > 10


@pytest.mark.slow
def test_it_agrees_with_its_twin_in_many_positions(shared_data):
    assert _compare(random_positions(count=1200, seed=4))["net"] > 100
    assert _compare(game_positions(shared_data / "dan9-valid.sgf.xz", 80, 5))["net"] > 30
