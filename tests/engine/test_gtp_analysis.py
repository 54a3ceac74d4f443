"""Analysis output, read as Sabaki reads it, and the ways clients ask for it."""

from __future__ import annotations

import re

import pytest

from engine.geometry import BLACK, PASS, point
from engine.gtp.analysis import parse_wish
from engine.gtp.analysis_text import Wish, kata_line, lz_line, score_of
from engine.gtp.attention import Attention
from engine.gtp.registry import COMMANDS, GtpError
from engine.thought import Candidate, Thought
from engine.vertex import vertex_text
from gtp_client import ask, new_session
from sabaki_rules import read_analysis


@pytest.fixture
def session(kernels):
    return new_session(kernels)


def thought_of(*candidates, **changes):
    facts = dict(
        color=BLACK, sims=10, visits=10, seconds=1.0, value=0.5, score=0.0, score_deviation=5.0,
        candidates=candidates, owners={}, criticality={}, histogram={},
    )  # fmt: skip
    return Thought(**{**facts, **changes})


def candidate(p, visits=5, value=0.5, line=None, **changes):
    facts = dict(lower=value - 0.1, prior=0.3, rave_visits=1.0, rave_value=0.5)
    return Candidate(p, visits, value, line=(p,) if line is None else line, **{**facts, **changes})


A1, B2 = point(0, 0), point(1, 1)


# --- The words ---------------------------------------------------------------------------------


def test_leela_zeros_words():
    thought = thought_of(candidate(A1, 7, 0.4656, line=(A1, B2)), candidate(B2, 3, 0.25))
    assert lz_line(thought, Wish(BLACK)) == (
        "info move A1 visits 7 winrate 4656 prior 3000 lcb 3656 order 0 pv A1 B2 "
        "info move B2 visits 3 winrate 2500 prior 3000 lcb 1500 order 1 pv B2"
    )


def test_katagos_words():
    thought = thought_of(candidate(A1, 7, 0.5), score=1.5, owners={A1: 0.25, point(1, 0): -1.0})
    wish = Wish(BLACK, root_info=True, ownership=True)
    assert kata_line(thought, wish, 2) == (
        "info move A1 visits 7 utility 0.000000 winrate 0.500000 scoreMean 1.500000 "
        "scoreStdev 5.000000 scoreLead 1.500000 scoreSelfplay 1.500000 prior 0.300000 "
        "lcb 0.400000 utilityLcb -0.200000 order 0 pv A1 "
        "rootInfo visits 10 utility 0.000000 winrate 0.500000 scoreMean 1.500000 "
        "scoreStdev 5.000000 scoreLead 1.500000 scoreSelfplay 1.500000 "
        "ownership -1.000000 0.000000 0.250000 0.000000"
    )


def test_what_is_told_only_if_asked_for():
    line = dict(line=(A1, B2), line_visits=(7, 4))
    thought = thought_of(candidate(A1, 7, **line), candidate(B2, 3), owners={A1: 0.6})
    plain = kata_line(thought, Wish(BLACK), 2)
    assert not re.search("pvVisits|pvEdgeVisits|wnership|rootInfo", plain)
    wish = Wish(BLACK, line_visits=True, line_edge_visits=True)
    assert lz_line(thought, wish).endswith("order 1 pv B2 pvVisits 3 pvEdgeVisits 3")
    assert " pv A1 B2 pvVisits 7 4 pvEdgeVisits 7 4 info move B2 " in kata_line(thought, wish, 2)
    wish = Wish(2, moves_ownership=True, moves_ownership_spread=True, ownership_spread=True)
    white = thought_of(candidate(A1, 7), color=2, owners={A1: 0.6})
    assert kata_line(white, wish, 2, lambda p: {B2: 1.0, p: -0.6}).endswith(
        " pv A1 movesOwnership 0.000000 -1.000000 0.600000 0.000000 "
        "movesOwnershipStdev 1.000000 0.000000 0.800000 1.000000 "
        "ownershipStdev 1.000000 1.000000 0.800000 1.000000"
    )


def test_owners_are_told_from_the_movers_side():
    thought = thought_of(candidate(A1), color=2, owners={A1: 0.25})
    line = kata_line(thought, Wish(2, ownership=True), 2)
    assert line.endswith(" ownership 0.000000 0.000000 -0.250000 0.000000")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -3.0, 1e-9, 1e30])
def test_no_number_has_an_exponent(value):
    thought = thought_of(candidate(A1, value=value, prior=value), score=value, value=value)
    for line in (lz_line(thought, Wish(BLACK)), kata_line(thought, Wish(BLACK), 9)):
        assert not re.search(r"\d[eE][+-]?\d|nan|inf\b", line), line
        shown, _ = read_analysis(line, 9, line.count("utility") > 0)
        assert len(shown) == 1


def test_a_search_without_moves_still_says_something():
    for line in (lz_line(thought_of(), Wish(BLACK)), kata_line(thought_of(), Wish(BLACK), 9)):
        assert line.startswith("info move pass visits ")
        assert line.endswith("pv pass")


def test_a_variation_begins_with_its_move():
    line = lz_line(thought_of(candidate(A1, line=()), candidate(PASS, line=(PASS, A1))), Wish(1))
    assert "pv A1 info" in line
    assert line.endswith("pv pass A1")


def test_how_many_moves_are_told():
    tried = [candidate(point(0, i), visits=5 - i) for i in range(9)]
    for least, most, count in (
        (0, 999, 5),
        (7, 999, 7),
        (0, 3, 3),
        (7, 2, 2),
        (0, 0, 1),
        (99, 99, 9),
    ):
        line = lz_line(thought_of(*tried), Wish(BLACK, min_moves=least, max_moves=most))
        assert line.count("info move") == count


def test_a_better_move_leads_by_more():
    thought = thought_of(score=3.0, value=0.6)
    scores = [score_of(thought, candidate(A1, value=x), 9) for x in (0.0, 0.3, 0.6, 0.9, 1.0)]
    assert scores == sorted(scores)
    assert scores[2] == 3.0
    assert all(abs(score) <= 162 for score in scores)


# --- The wishes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "color", "interval", "ownership"),
    [
        ("", 1, 0.5, False),
        ("B 50", 1, 0.5, False),
        ("10", 1, 0.1, False),
        ("b interval 10 ownership true", 1, 0.1, True),
        ("white", 2, 0.5, False),
        ("w 0", 2, 0.05, False),
        ("interval 100 rootInfo true movesOwnership true pvVisits false", 1, 1.0, False),
        ("W 20 minmoves 3 maxmoves 9", 2, 0.2, False),
    ],
)
def test_wishes(session, words, color, interval, ownership):
    wish = parse_wish(session, words.split())
    assert (wish.color, wish.interval, wish.ownership) == (color, interval, ownership)


@pytest.mark.parametrize(
    "words",
    [
        *("purple", "b x", "interval", "interval x", "interval -5", "ownership maybe", "b 10 10"),
        *("avoid", "avoid b", "avoid b A1", "avoid b Z99 5", "avoid x A1 5", "minmoves -1"),
        "unknown 5",
    ],
)
def test_wishes_that_make_no_sense(session, words):
    with pytest.raises(GtpError, match="^syntax error$"):
        parse_wish(session, words.split())
    assert ask(session, f"lz-analyze {words}") == "? syntax error"


def test_moves_that_are_avoided_or_allowed(session):
    def moves(words):
        reply = ask(session, f"lz-analyze b 10 {words}")
        return set(re.findall(r"info move (\S+)", reply))

    everything = moves("minmoves 99")
    assert "E5" in everything
    assert moves("minmoves 99 avoid b E5,D4 1") == everything - {"E5", "D4"}
    assert moves("minmoves 99 allow b E5,D4 1") == {"E5", "D4"}
    assert moves("minmoves 99 avoid w E5,D4 1") == everything
    assert moves("minmoves 99 avoid b E5 0") == everything
    assert ask(session, "lz-analyze b 10 allow b E5 1 avoid b E5 1") == "? no move is allowed"


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_a_move_among_those_that_are_allowed(session, command):
    for vertex in ("A1", "J9", "C2"):
        reply = ask(session, f"{command} b 10 allow b {vertex} 1")
        assert reply.splitlines()[-1] == f"play {vertex}"
    reply = ask(session, f"{command} b 10 allow b D4 1 avoid b D4 1")
    assert reply == "? no move is allowed"


# --- The commands ------------------------------------------------------------------------------


def test_what_is_listed():
    assert not COMMANDS["analyze"].listed
    assert not COMMANDS["genmove_analyze"].listed
    assert COMMANDS["kata-analyze"].listed
    assert COMMANDS["lz-analyze"].listed
    assert not any(name.startswith("gogui-rules") for name in COMMANDS)


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze", "analyze"])
@pytest.mark.parametrize("opening", ["", "b E5 w D3 b F4", "b pass w pass"])
def test_an_analysis(session, command, opening):
    ask(session, f"gogui-play_sequence {opening}")
    before = ask(session, "showboard")
    head, *lines = ask(session, f"5 {command} w 10 ownership true").splitlines()
    assert head == "=5"
    assert lines
    for line in lines:
        shown, owners = read_analysis(line, 9, command.startswith("kata"))
        assert len(shown) > 10
        assert all(0 <= move["winrate"] <= 100 for move in shown)
        assert len(owners) == (81 if command.startswith("kata") else 0)
    assert ask(session, "showboard") == before


@pytest.mark.parametrize("command", ["kata-analyze", "kata-genmove_analyze"])
def test_owners_after_each_move(session, command):
    """White has the whole board; a black stone in the middle takes some of it."""
    ask(session, "gogui-setup " + " ".join(f"w {letter}5" for letter in "ABCDFGHJ"))
    reply = ask(session, f"{command} b 10 movesOwnership true maxmoves 4 minmoves 4")
    for line in (line for line in reply.splitlines() if line.startswith("info")):
        moves = re.findall(r"info move (\S+) .*? movesOwnership((?: -?[01]\.\d{6})+)", line)
        assert len(moves) == 4
        for vertex, owners in moves:
            numbers = [float(word) for word in owners.split()]
            assert len(numbers) == 81
            row, column = 9 - int(vertex[1:]), "ABCDEFGHJ".index(vertex[0])
            beside = sum(numbers) / 81
            assert numbers[9 * row + column] > beside, (vertex, numbers)


def test_no_owners_are_looked_for_while_somebody_waits_for_the_end(session, monkeypatch):
    """They take a while for each move, and an analysis ends at once."""
    monkeypatch.setattr(Attention, "is_pressing", True)
    reply = ask(session, "kata-analyze b 10 movesOwnership true ownership true")
    assert "movesOwnership" not in reply
    assert " ownership " in reply


@pytest.mark.parametrize(
    "command", ["lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze"]
)
def test_a_move_with_reports(session, command):
    head, *lines, last = ask(session, f"{command} b 10").splitlines()
    assert head == "="
    assert lines
    assert all(line.startswith("info move ") for line in lines)
    assert last == f"play {vertex_text(session.game.moves[0].point)}"
    assert session.game.to_move == 2


def test_a_resignation_is_told_and_not_played(session):
    ask(session, "kata-set-param resign 0.5")
    assert ask(session, "genmove b") == "= resign"
    assert ask(session, "kata-genmove_analyze b").splitlines()[-1] == "play resign"
    assert session.game.moves == []


def test_an_analysis_of_a_full_board_is_a_pass(kernels):
    session = new_session(kernels, size=2)
    ask(session, "gogui-setup b A1 b B2")
    assert "info move pass" in ask(session, "lz-analyze b 10")
