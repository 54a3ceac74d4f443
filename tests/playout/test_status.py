"""Owner maps tell the dead from the living: known positions, seen from all sides.

Each drawing has one chain in question, marked # (and @ for the other side of a seki); all else
is settled, and both sides hold about half of the board, for a lopsided one would end playouts
early. Its status is the same whoever moves first. A policy judges it by where the marked stones
end up: dead if the enemy owns their points more than half of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from engine.geometry import BLACK, WHITE
from engine.playout import POLICIES
from engine.playout.policy import Runner, named_policy
from engine.vertex import vertex_text
from tests.diagrams import Diagram
from tests.gnugo import gnugo

PLAYOUTS = 400
ALIVE_FROM = 0.3  # mean owner of a chain's points, 1 if always its own, that shows it alive
# White lives beside and under the question, Black below.
_RIGHT = ("O . O", "O O .", "O O O", "O . O")
_WHITE_WALL = "O O O O O O O O O"
_BLACK_HALF = """\
    X X X X X X X X X
    X . X X . X X . X
    X X X X X X X X X
    . . X . . . X . .
"""


def _cornered(text: str) -> str:
    """A Black chain in the corner, drawn on 4 rows of 6 points, that White encloses."""
    rows = text.strip().splitlines()
    top = [f"{row} {right}" for row, right in zip(rows, _RIGHT, strict=True)]
    return "\n".join([*top, _WHITE_WALL])


# Name: status, then the drawing.
CORNERS = {
    "two single eyes": ("alive", """
        . # . # O O
        # # # # O .
        O O O O O O
        O . O O . O
    """),
    "four in a row": ("alive", """
        . . . . # O
        # # # # # O
        O O O O O O
        O . O O . O
    """),
    "bent four on the side": ("alive", """
        # . . . # O
        # # # . # O
        O O # # # O
        O O O O O O
    """),
    "an eye of two and one of one": ("alive", """
        . . # . # O
        # # # # # O
        O O O O O O
        O . O O . O
    """),
    "two eyes along the side": ("alive", """
        . # # O O .
        # . # O . O
        # # # O O O
        O O O O . O
    """),
    "one single eye": ("dead", """
        . # O O . O
        # # O . O O
        O O O O O O
        . O O . O O
    """),
    "an eye of two": ("dead", """
        . . # O . O
        # # # O O O
        O O O O O O
        O . O O . O
    """),
    "three in a row, middle taken": ("dead", """
        . O . # O .
        # # # # O O
        O O O O O O
        O . O O . O
    """),
    "bent three, middle taken": ("dead", """
        O . # O . O
        . # # O O O
        # # O O . O
        O O O O O O
    """),
    "pyramid four, middle taken": ("dead", """
        . O . # O .
        # . # # O O
        # # # O O O
        O O O O . O
    """),
    "bulky five, middle taken": ("dead", """
        . O . # O .
        . . # # O O
        # # # # O .
        O O O O O O
    """),
    "square four": ("dead", """
        . . # O . O
        . . # O O O
        # # # O . O
        O O O O O O
    """),
    "a real and a false eye": ("dead", """
        . # O O . O
        # # O O O O
        # . X O . O
        O X O O O O
    """),
    "stones in a small territory": ("dead", """
        . . O O O .
        O # # O . O
        O . # O O O
        O O O O . O
    """),
    "two stones on the second line": ("dead", """
        . . . O O .
        . # # O . O
        O O O O O O
        O . O O . O
    """),
}  # fmt: skip
OTHERS = {
    "no eye in a race against one": ("dead", """
        . O . # . O O . O
        O O O # O O O O .
        X X X O O O . O O
        X . X O . O O O O
        X X X O O O O O O
    """),
    "an eye in a race against none": ("alive", """
        . @ . X . O O . O
        @ @ @ X O O O O .
        X X X O O O . O O
        X . X O . O O O O
        X X X O O O O O O
    """),
    "a bamboo joint": ("alive", """
        O . O O . O O . O
        O O O O O O O O .
        O O # # O O O O O
        . O # # O O . O O
        O O . . O O O O O
    """),
    "seki with two shared liberties": ("seki", """
        @ @ . # O . O . O
        @ . # # O O O O .
        @ # # O O . O O O
        X O O O . O O O O
        X O O O O O O O O
    """),
    "seki of longer chains with two shared liberties": ("seki", """
        @ @ . # O . O . O
        @ . # # O O O O .
        @ # # O O . O O O
        @ # O O . O O O O
        X O O O O O O O O
    """),
    "seki of bigger chains with an eye each": ("seki", """
        . @ @ . # . # O .
        @ @ @ @ # # # O O
        X X X X O O O O O
        X . X X O . O O .
        X X X X O O O O O
    """),
    "seki with an eye each": ("seki", """
        . @ . # . # O . O
        @ @ @ # # # O O .
        X X X O O O O O O
        X . X O . O O . O
        X X X O O O O O O
    """),
}  # fmt: skip
UPPER_HALVES = OTHERS | {
    name: (status, _cornered(text)) for name, (status, text) in CORNERS.items()
}
DRAWINGS = {
    name: (status, f"{text.strip()}\n{_BLACK_HALF}")
    for name, (status, text) in UPPER_HALVES.items()
}

# Shares of right answers to reach, over all drawings and over those that are no seki. Measured:
# light 0.71 and 0.87, rules 0.92 and 0.97, gamma and mixed 0.96 and 1.0; the room below is for
# another seed or weight file. All of them miss the smallest seki, and rules finds about half of
# the fours in a row not clearly alive.
FLOORS = {"rules": (0.87, 0.93), "gamma": (0.91, 0.97), "mixed": (0.91, 0.97)}


class Case(NamedTuple):
    """A drawing as seen from one side."""

    name: str
    status: str
    diagram: Diagram
    color: int  # of the chain in question
    to_move: int


_SWAP = str.maketrans("XO#@", "OX@#")


def _views(text: str) -> Iterator[str]:
    """The 8 symmetries of a drawing."""
    grid = [line.split() for line in text.strip().splitlines()]
    for _ in range(4):
        grid = [list(row) for row in zip(*grid[::-1], strict=True)]
        for seen in (grid, grid[::-1]):
            yield "\n".join(" ".join(row) for row in seen)


@cache
def cases() -> tuple[Case, ...]:
    """All drawings from all sides, in both colours, with either side to move."""
    result = []
    for name, (status, text) in DRAWINGS.items():
        marked = BLACK if "#" in text else WHITE
        for view in _views(text):
            for drawing, color in ((view, marked), (view.translate(_SWAP), BLACK + WHITE - marked)):
                diagram = Diagram(drawing)
                result += [Case(name, status, diagram, color, turn) for turn in (BLACK, WHITE)]
    return tuple(result)


def is_right(case: Case, owners: dict[int, float]) -> bool:
    """Whether an owner map shows the status of the marked stones."""

    def kept(color: int) -> float:
        stones = case.diagram.all("#" if color == BLACK else "@")
        mean = sum(owners[p] for p in stones) / len(stones)
        return mean if color == BLACK else -mean

    if case.status == "seki":
        return kept(BLACK) >= 0 and kept(WHITE) >= 0
    return kept(case.color) > ALIVE_FROM if case.status == "alive" else kept(case.color) < 0


@cache
def right_shares(policy: str) -> dict[str, float]:
    """By drawing, the share of its cases that a policy gets right."""
    runner = Runner(named_policy(policy, 9), seed=1)
    right: dict[str, list[bool]] = {name: [] for name in DRAWINGS}
    for case in cases():
        _, owners = runner.sample(case.diagram.position, case.to_move, PLAYOUTS)
        right[case.name].append(is_right(case, owners))
    return {name: sum(answers) / len(answers) for name, answers in right.items()}


def accuracy(policy: str) -> tuple[float, float]:
    """The share that a policy gets right of all drawings, and of those that are no seki."""
    shares = right_shares(policy)
    settled = [share for name, share in shares.items() if DRAWINGS[name][0] != "seki"]
    return sum(shares.values()) / len(shares), sum(settled) / len(settled)


def test_the_positions_are_many_and_fair() -> None:
    boards = {(case.diagram.position.hash, case.status) for case in cases()}
    assert len(boards) >= 250
    for name, (status, text) in DRAWINGS.items():
        diagram = Diagram(text)
        marked = [stones for mark in "#@" if (stones := diagram.all(mark))]
        assert len(marked) == (2 if status == "seki" else 1), name
        for stones in marked:
            assert diagram.position.chain(stones[0])[0] == stones, name


@pytest.mark.parametrize("policy", FLOORS)
def test_owner_maps_tell_the_status_of_chains(policy: str) -> None:
    measured = zip(accuracy(policy), FLOORS[policy], accuracy("light"), strict=True)
    for share, floor, light_share in measured:
        assert share >= floor, right_shares(policy)
        assert share >= light_share + 0.05, right_shares(policy)


@pytest.mark.parametrize("policy", POLICIES)
def test_no_dead_chain_looks_alive(policy: str) -> None:
    shares = right_shares(policy)
    wrong = [
        name for name, (status, _) in DRAWINGS.items() if status == "dead" and shares[name] < 1
    ]
    assert not wrong


def test_gnu_go_agrees_about_life_and_death() -> None:
    for name, (status, text) in DRAWINGS.items():
        diagram = Diagram(text)
        commands = ["boardsize 9", "clear_board"]
        for color, letter in ((BLACK, "black"), (WHITE, "white")):
            commands += [f"play {letter} {vertex_text(p)}" for p in diagram.stones(color)]
        mark = vertex_text(diagram.all("#" if "#" in text else "@")[0])
        assert gnugo([*commands, f"final_status {mark}"], "--chinese-rules")[-1] == status, name
