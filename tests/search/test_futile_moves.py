"""Moves that only help if a ladder works are marked when a node is expanded, and no others."""

from __future__ import annotations

from engine.geometry import BLACK, WHITE
from engine.rules import RULES
from engine.search import Limits, Search
from engine.tree import FUTILE
from tests.diagrams import Diagram
from tests.search.fixed import settings_of

LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . X X . . . . .
    . X O . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
# The same with a white stone that the ladder runs into.
BROKEN = """
    . . . . . . . . .
    . . . . . . . . .
    . . X X . . . . .
    . X O . . . . . .
    . . b . . . . . .
    . . . . . . . . .
    . . . . . O . . .
    . . . . . . . . .
    . . . . . . . . .
"""
# White is in atari, and the ladder works.
CHASED = """
    . . . . . . . . .
    . . . . . . . . .
    . . X X . . . . .
    . X O a . . . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
# White has two liberties, and a ladder takes it all the same if it extends to a.
EXTENDED = """
    . . . . . . . . .
    . . . . . X X . .
    . . . . X O a X .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
# White has two liberties, and is soon lost wherever it crawls: that needs no ladder reader.
CRAWLING = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    X X X X X X X X X
    . . . O O . . . .
"""


def futile_moves(diagram: Diagram, color: int) -> set[int]:
    """The moves from a position that are marked."""
    search = Search(settings_of(knowledge="fbt"))
    search.think(diagram.game(RULES["chinese"], color), color, Limits(sims=1))
    arena, children = search._arena(), search._children()
    return {int(arena.move[child]) for child in children if arena.state[child] & FUTILE}


def test_an_atari_is_futile_where_its_ladder_fails():
    works, fails = Diagram(LADDER), Diagram(BROKEN)
    assert not futile_moves(works, BLACK)
    assert futile_moves(fails, BLACK) == {fails["b"]}


def test_a_chain_that_a_ladder_takes_does_not_run():
    diagram = Diagram(CHASED)
    assert futile_moves(diagram, WHITE) == {diagram["a"]}
    assert not futile_moves(Diagram(LADDER), WHITE)


def test_a_chain_that_stays_in_a_long_ladder_does_not_extend():
    diagram = Diagram(EXTENDED)
    assert futile_moves(diagram, WHITE) == {diagram["a"]}
    assert not futile_moves(Diagram(CRAWLING), WHITE)
