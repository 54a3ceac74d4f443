"""Sequences that have a name: what the rules are famous for, each drawn on a small board.

`simple`, `positional` and `situational` are the ko rules; suicide is forbidden unless a test
allows it. Moves are played through `Game`, so the position is checked along with them.
"""

from __future__ import annotations

from operator import attrgetter

import pytest

from engine.game import Game, IllegalMove
from engine.geometry import BLACK, EMPTY, PASS, WHITE, opponent, point
from engine.position import Position
from engine.rules import Rules
from tests.diagrams import Diagram, board_from, check_board, picture

SIMPLE = Rules("simple", "area", "simple", suicide=False)
POSITIONAL = Rules("positional", "area", "positional", suicide=False)
SITUATIONAL = Rules("situational", "area", "situational", suicide=False)
SUICIDE = Rules("suicide", "area", "simple", suicide=True)
ALL = (SIMPLE, POSITIONAL, SITUATIONAL)
NAME = attrgetter("name")
EVERY_KO_RULE = pytest.mark.parametrize("rules", ALL, ids=NAME)
SUPERKO = pytest.mark.parametrize("rules", ALL[1:], ids=NAME)


def play(game: Game, diagram: Diagram, moves: str, first: int) -> None:
    """Play marked points in turn; a dash is a pass."""
    color = first
    for mark in moves:
        game.play(color, PASS if mark == "-" else diagram[mark])
        color = opponent(color)


def check_refused(game: Game, color: int, p: int, reason: str) -> None:
    """Assert that a move is illegal for a reason, and that trying it changes nothing."""
    before, hash_before = picture(game.position), game.position.hash
    assert game.why_illegal(color, p) == reason
    assert p not in game.legal_points(color)
    with pytest.raises(IllegalMove, match=f"^{reason}$"):
        game.play(color, p)
    assert (picture(game.position), game.position.hash) == (before, hash_before)


# --- Capturing ----------------------------------------------------------------------------


@EVERY_KO_RULE
def test_snapback(rules: Rules) -> None:
    diagram = Diagram("""
        . . . . .
        . . . . .
        O O O O .
        X X X O .
        b a X O .
    """)
    game = diagram.game(rules, WHITE)
    play(game, diagram, "ab", WHITE)
    assert game.position.prisoners(BLACK) == 1
    assert game.position.ko(WHITE) == PASS  # five stones could be taken back, so it is no ko
    game.play(WHITE, diagram["a"])
    assert game.position.prisoners(WHITE) == 5
    check_board(
        game.position,
        """
        . . . . .
        . . . . .
        O O O O .
        . . . O .
        . O . O .
        """,
    )


def test_capture_of_four_chains_at_once() -> None:
    diagram = Diagram("""
        . . X . .
        . X O X .
        X O a O X
        . X O X .
        . . X . .
    """)
    game = diagram.game(SIMPLE)
    game.play(BLACK, diagram["a"])
    assert game.position.prisoners(BLACK) == 4
    assert sorted(game.position.removed()) == sorted(diagram.stones(WHITE))
    assert game.position.ko(WHITE) == PASS
    assert len(game.position.chain(diagram["a"])[1]) == 4


def test_a_chain_that_touches_the_move_twice_is_taken_once() -> None:
    diagram = Diagram("""
        O O X .
        O a X .
        X X . .
        . . . .
    """)
    promised = diagram.position.hash_after(BLACK, diagram["a"])
    game = diagram.game(SIMPLE)
    game.play(BLACK, diagram["a"])
    assert game.position.prisoners(BLACK) == 3
    assert game.position.hash == promised


def test_a_stone_joins_four_chains() -> None:
    diagram = Diagram("""
        . l X l .
        l l X l .
        X X a X l
        l l X l .
        . . l . .
    """)
    diagram.position.play(BLACK, diagram["a"])
    stones, liberties = diagram.position.chain(diagram["a"])
    assert stones == sorted([*diagram.stones(BLACK), diagram["a"]])
    assert liberties == diagram.all("l")


def test_a_208_stone_capture() -> None:
    """White's wall crosses the board; below it Black fills all but one point."""
    wall = [point(11, column) for column in range(19)]
    eye = point(4, 7)
    game = Game(19, rules=POSITIONAL)
    for p in wall:
        game.play(WHITE, p)
    for row in range(11):
        for column in range(19):
            if point(row, column) != eye:
                game.play(BLACK, point(row, column))
    stones, liberties = game.position.chain(point(0, 0))
    assert (len(stones), liberties) == (208, [eye])
    check_refused(game, BLACK, eye, "suicide")
    game.play(WHITE, eye)
    assert game.position.prisoners(WHITE) == 208
    assert sorted(game.position.removed()) == stones
    assert game.position.hash == Position.from_stones(19, [], [*wall, eye]).hash
    assert len(game.position.legal_points(BLACK)) == 361 - 20


@pytest.mark.parametrize("size", [2, 3, 9, 19, 25])
def test_a_full_board(size: int) -> None:
    """Black has every point but one: White takes them all there, and only suicide fills it."""
    last = point(size - 1, size // 2)
    game = Game(size, rules=POSITIONAL)
    for p in game.position.points():
        if p != last:
            game.play(BLACK, p)
    assert game.position.empty_points() == [last]
    assert game.position.chain(game.position.stones(BLACK)[0])[1] == [last]
    check_refused(game, BLACK, last, "suicide")
    filled = game.position.copy()
    filled.play(BLACK, last, suicide=True)
    assert (filled.hash, filled.prisoners(WHITE)) == (Position(size).hash, size * size)
    game.play(WHITE, last)
    assert (game.position.prisoners(WHITE), game.position.stones(WHITE)) == (size**2 - 1, [last])
    assert game.position.stones(BLACK) == []


def test_the_chain_with_the_most_liberties() -> None:
    """A comb over the largest board: its liberties touch it about six hundred times."""
    position = Position(25)
    teeth = [point(row, column) for column in range(0, 25, 2) for row in range(24)]
    back = [point(24, column) for column in range(25)]
    for p in [*teeth, *back]:
        position.play(BLACK, p)
    gaps = [point(row, column) for column in range(1, 25, 2) for row in range(24)]
    assert position.chain(back[0]) == (sorted([*teeth, *back]), sorted(gaps))
    for p in gaps:
        if p < point(23, 0):
            position.play(WHITE, p)
    assert position.chain(back[0])[1] == [p for p in gaps if p >= point(23, 0)]


# --- Ko -----------------------------------------------------------------------------------

KO = """
    . X O . .
    X @ a O .
    . X O . .
    . . . . .
    z . . . .
"""


@EVERY_KO_RULE
def test_a_ko_may_not_be_retaken_at_once(rules: Rules) -> None:
    diagram = Diagram(KO)
    game = diagram.game(rules)
    game.play(BLACK, diagram["a"])
    assert game.position.ko(WHITE) == diagram["@"]
    assert game.position.ko(BLACK) == PASS
    check_refused(game, WHITE, diagram["@"], "ko")
    game.play(WHITE, diagram["z"])
    game.play(BLACK, diagram["@"])  # Black ends it
    assert game.position.prisoners(BLACK) == 1


@EVERY_KO_RULE
def test_a_ko_may_be_retaken_after_a_threat(rules: Rules) -> None:
    diagram = Diagram(KO.replace("z . . . .", "z y . . ."))
    game = diagram.game(rules)
    play(game, diagram, "azy", BLACK)
    game.play(WHITE, diagram["@"])
    assert game.position.ko(BLACK) == diagram["a"]
    check_refused(game, BLACK, diagram["a"], "ko")


def test_a_ko_after_a_pass() -> None:
    """After a pass by both the simple rule lets White retake; superko still remembers."""
    diagram = Diagram(KO)
    for rules, reason in ((SIMPLE, None), (POSITIONAL, "superko"), (SITUATIONAL, "superko")):
        game = diagram.game(rules)
        play(game, diagram, "a--", BLACK)
        assert game.position.ko(WHITE) == PASS
        assert game.why_illegal(WHITE, diagram["@"]) == reason


def test_a_ko_when_a_colour_moves_twice() -> None:
    """The ko binds only the opponent, and only for the next move on the board."""
    diagram = Diagram(KO)
    game = diagram.game(SIMPLE)
    game.play(BLACK, diagram["a"])
    game.play(BLACK, diagram["z"])
    game.play(WHITE, diagram["@"])
    assert game.position.ko(BLACK) == diagram["a"]

    game = diagram.game(SIMPLE)
    game.play(BLACK, diagram["a"])
    assert game.why_illegal(BLACK, diagram["@"]) is None
    game.play(BLACK, diagram["@"])
    assert game.position.ko(WHITE) == PASS


def test_a_capture_of_one_stone_by_two_is_no_ko() -> None:
    diagram = Diagram("""
        . X O . .
        X O a O .
        . X X O .
        . . O . .
        . . . . .
    """)
    diagram.position.play(BLACK, diagram["a"])
    assert diagram.position.prisoners(BLACK) == 1
    assert diagram.position.ko(WHITE) == PASS


def test_a_capture_of_one_stone_with_a_liberty_to_spare_is_no_ko() -> None:
    diagram = Diagram("""
        . X . . .
        X O a O .
        . X O . .
        . . . . .
        . . . . .
    """)
    diagram.position.play(BLACK, diagram["a"])
    assert diagram.position.prisoners(BLACK) == 1
    assert diagram.position.ko(WHITE) == PASS


def test_the_situation_hash_knows_the_ko_and_the_side_to_move() -> None:
    """The same stones once with a ko and once without: one position, two situations."""
    diagram = Diagram(KO)
    diagram.position.play(BLACK, diagram["a"])
    fresh = board_from(picture(diagram.position))
    assert diagram.position.hash == fresh.hash
    assert diagram.position.situation_hash(WHITE) != fresh.situation_hash(WHITE)
    assert diagram.position.situation_hash(BLACK) == fresh.situation_hash(BLACK)
    assert fresh.situation_hash(BLACK) != fresh.situation_hash(WHITE)


def test_double_ko() -> None:
    """Each side holds one ko; with a pass in between, both are taken and taken back."""
    points = Diagram("""
        . X O . . . .
        X a b O . . .
        . X O . . . .
        . . . . . . .
        . X O . . . .
        X c d O . . .
        . X O . . . .
    """)
    for rules, reason in ((SIMPLE, None), (POSITIONAL, "superko"), (SITUATIONAL, None)):
        game = points.game(rules)
        game.set_up([points["d"]], [points["a"]])
        play(game, points, "b", BLACK)
        check_refused(game, WHITE, points["a"], "ko")
        play(game, points, "c", WHITE)
        check_refused(game, BLACK, points["d"], "ko")
        play(game, points, "-", BLACK)
        assert game.position.ko(WHITE) == game.position.ko(BLACK) == PASS
        play(game, points, "a", WHITE)
        check_refused(game, BLACK, points["b"], "ko")
        # The stones are back if Black takes now, but then it is White's turn, not Black's.
        assert game.why_illegal(BLACK, points["d"]) == reason


def test_triple_ko() -> None:
    """Three kos, two of them Black's to take: the sixth capture brings the position back."""
    points = Diagram("""
        . X O . . . X O .
        X a b O . X c d O
        . X O . . . X O .
        . . . . . . . . .
        . X O . . . . . .
        X e f O . . . . .
        . X O . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    for rules in ALL:
        game = points.game(rules)
        game.set_up([points["d"]], [points["a"], points["e"]])
        start = picture(game.position)
        play(game, points, "bcfad", BLACK)
        if rules is SIMPLE:
            play(game, points, "ebcfade", WHITE)
            assert picture(game.position) == start
            assert (game.position.prisoners(BLACK), game.position.prisoners(WHITE)) == (6, 6)
        else:
            check_refused(game, WHITE, points["e"], "superko")


def test_sending_two_returning_one() -> None:
    """White adds a stone, Black takes two, White takes one back: the same stones, but it is
    Black's turn and no longer White's. A second round repeats the situation as well."""
    diagram = Diagram("""
        . . . . .
        . . . . .
        . O X X .
        . O X X X
        O c @ b X
    """)
    start = picture(diagram.position)
    for rules in ALL:
        game = diagram.game(rules, WHITE)
        play(game, diagram, "bc", WHITE)
        assert game.position.prisoners(BLACK) == 2
        assert game.position.ko(WHITE) == PASS
        if rules is POSITIONAL:
            check_refused(game, WHITE, diagram["@"], "superko")
            continue
        game.play(WHITE, diagram["@"])
        assert picture(game.position) == start
        assert game.position.ko(BLACK) == PASS
        game.play(BLACK, PASS)
        if rules is SIMPLE:
            play(game, diagram, "bc@", WHITE)
            assert picture(game.position) == start
        else:
            check_refused(game, WHITE, diagram["b"], "superko")


def test_eternal_life() -> None:
    """Black gives two stones, White takes them, Black takes two back, White throws one in: the
    same position with the same side to move, and nobody has broken the simple ko rule."""
    diagram = Diagram("""
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . O O X X .
        O a # b @ X
    """)
    start = picture(diagram.position)
    for rules in ALL:
        game = diagram.game(rules)
        play(game, diagram, "ab#", BLACK)
        assert (game.position.prisoners(BLACK), game.position.prisoners(WHITE)) == (2, 2)
        if rules is SIMPLE:
            play(game, diagram, "@ab#@", WHITE)
            assert picture(game.position) == start
        else:
            check_refused(game, WHITE, diagram["@"], "superko")


@SUPERKO
def test_undo_forgets_what_superko_remembered(rules: Rules) -> None:
    diagram = Diagram(KO)
    game = diagram.game(rules)
    play(game, diagram, "a--", BLACK)
    check_refused(game, WHITE, diagram["@"], "superko")
    for _ in range(3):
        game.undo()
    assert picture(game.position) == picture(diagram.position)
    play(game, diagram, "-", BLACK)
    assert game.why_illegal(BLACK, diagram["a"]) is None


# --- Suicide ------------------------------------------------------------------------------


def test_suicide_of_several_stones() -> None:
    diagram = Diagram("""
        # # O . .
        # a O . .
        O O . . .
        . . . . .
        . . . . .
    """)
    check_refused(diagram.game(SIMPLE), BLACK, diagram["a"], "suicide")
    game = diagram.game(SUICIDE)
    promised = game.position.hash_after(BLACK, diagram["a"])
    game.play(BLACK, diagram["a"])
    assert game.position.stones(BLACK) == []
    assert game.position.prisoners(WHITE) == 4
    assert sorted(game.position.removed()) == sorted([*diagram.all("#"), diagram["a"]])
    assert game.position.hash == promised == Position.from_stones(5, [], diagram.all("O")).hash
    assert len(game.position.chain(diagram.all("O")[0])[1]) == 5


def test_suicide_of_one_stone() -> None:
    """It changes nothing but the turn and the prisoners, so positional superko refuses it."""
    diagram = Diagram("""
        a O .
        O . .
        . . .
    """)
    game = diagram.game(SUICIDE)
    before = game.position.hash
    game.play(BLACK, diagram["a"])
    assert (game.position.hash, game.position.prisoners(WHITE)) == (before, 1)
    assert game.position.removed() == [diagram["a"]]
    assert game.position.ko(WHITE) == PASS
    tromp_taylor = Rules("", "area", "positional", suicide=True)
    check_refused(diagram.game(tromp_taylor), BLACK, diagram["a"], "superko")
    new_zealand = Rules("", "area", "situational", suicide=True)
    assert diagram.game(new_zealand).why_illegal(BLACK, diagram["a"]) is None


def test_what_looks_like_suicide_but_captures() -> None:
    diagram = Diagram("""
        a O X .
        O X X .
        X X . .
        . . . .
    """)
    game = diagram.game(SIMPLE)
    game.play(BLACK, diagram["a"])
    assert game.position.prisoners(BLACK) == 2
    assert game.position.ko(WHITE) == PASS


# --- The smallest board -------------------------------------------------------------------


def test_two_by_two_capture_of_three() -> None:
    diagram = Diagram("""
        X X
        X a
    """)
    game = diagram.game(POSITIONAL, WHITE)
    check_refused(game, BLACK, diagram["a"], "suicide")
    game.play(WHITE, diagram["a"])
    check_board(game.position, ". .\n. O")
    assert game.position.legal_points(BLACK) == sorted(diagram.all("X"))


def test_two_by_two_between_two_stones() -> None:
    diagram = Diagram("""
        a X
        X b
    """)
    for mark in "ab":
        check_refused(diagram.game(SIMPLE), WHITE, diagram[mark], "suicide")
        assert diagram.position.is_eye(BLACK, diagram[mark])
    diagram.position.play(BLACK, diagram["a"])
    assert diagram.position.chain(diagram["a"])[1] == [diagram["b"]]
    diagram.position.play(WHITE, diagram["b"])
    check_board(diagram.position, ". .\n. O")


def test_two_by_two_takes_the_captor_back() -> None:
    """A stone taken by three, the three taken by one: captures everywhere, but never a ko."""
    diagram = Diagram("""
        O O
        . a
    """)
    position = diagram.position
    position.play(BLACK, diagram["a"])
    assert position.chain(diagram["a"])[1] == diagram.all(".")
    position.play(WHITE, diagram.all(".")[0])
    assert position.prisoners(WHITE) == 1
    assert position.ko(BLACK) == PASS
    assert position.color_at(diagram["a"]) == EMPTY
    position.play(BLACK, diagram["a"])
    assert position.prisoners(BLACK) == 3
