"""Games with engines that crash, hang, cheat or talk nonsense, and how they are counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sgfmill import sgf

from engine.match import contestants
from engine.match.players import Entrant
from engine.sgf import load_game
from match.fakes import LEFT, fake, left, one_game, right


def test_a_game_to_its_count() -> None:
    result = one_game(left(), right())
    assert (result["winner"], result["result"], result["reason"]) == ("second", "W+0.5", "count")
    assert result["moves"] == 12
    assert (result["black"], result["fault"]) == ("first", None)
    game = load_game(result["sgf"].encode())
    assert (game.size, game.komi, len(game.moves)) == (5, 0.5, 12)
    assert "thinking about B3" in result["sgf"]
    assert "PB[left]PW[right]RE[W+0.5]" in result["sgf"].replace("\n", "")


@pytest.mark.parametrize(
    ("fault", "at", "reason"),
    [
        ("crash", 2, "left ended with exit code 3 (out of ideas) at 'genmove black'"),
        ("illegal", 3, "left played A1 illegally: occupied"),
        ("nonsense", 2, "left answered 'genmove black' with nonsense: 'Hello!'"),
        ("refuse", 2, "left refused 'genmove black': no"),
        ("vertex", 2, "left played 'Q99': off the board"),
        ("endless", 2, "left answered 'genmove black' without end"),
    ],
)
def test_whoever_is_at_fault_loses(fault: str, at: int, reason: str) -> None:
    moves = "A1 " + LEFT
    result = one_game(fake("left", "--moves", moves, "--fault", fault, "--at", str(at)), right())
    assert (result["winner"], result["result"]) == ("second", "W+F")
    assert (result["fault"], result["reason"]) == ("first", reason)
    last = sgf.Sgf_game.from_string(result["sgf"]).get_last_node()
    assert last.get("C").endswith(reason)


def test_a_hanging_engine_loses_and_is_ended() -> None:
    result = one_game(left(), right("--fault", "hang", "--at", "2"), patience=6.0)
    assert (result["winner"], result["fault"]) == ("first", "second")
    assert result["reason"] == "right gave no answer to 'genmove white' in 6 s"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("crash", "right ended with exit code 3 (out of ideas) at 'final_status_list dead'"),
        ("hang", "right gave no answer to 'final_status_list dead' in 6 s"),
    ],
)
def test_a_fault_at_the_count_loses_this_game(
    fault: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contestants, "COUNT_PATIENCE", 6.0)
    result = one_game(left(), right("--fault", fault, "--at", "0"), patience=6.0)
    assert (result["winner"], result["result"]) == ("first", "B+F")
    assert (result["fault"], result["reason"]) == ("second", reason)


@pytest.mark.parametrize("answer", ["refuse", "vertex"])
def test_who_cannot_tell_dead_stones_has_no_opinion(answer: str) -> None:
    result = one_game(left(), right("--fault", answer, "--at", "0"))
    assert (result["result"], result["reason"], result["fault"]) == ("W+0.5", "count", None)
    assert result["counts"] == {"first": "W+0.5", "second": None}


def test_an_engine_that_does_not_start_loses() -> None:
    result = one_game(left(), Entrant("ghost", ("/nowhere/ghost",)))
    assert result["winner"] == "first"
    assert result["reason"] == "ghost could not be started: No such file or directory"


def test_overstepping_the_time_loses() -> None:
    from engine.match.timing import ClockRule

    slow = left("--fault", "slow", "--at", "2")
    assert one_game(slow, right(), clock=ClockRule(0.0, 3.0, 1))["result"] == "W+T"
    assert one_game(slow, right(), clock=ClockRule(300.0))["reason"] == "count"


def test_resignation_and_move_limit() -> None:
    result = one_game(fake("left", "--moves", "B1 resign"), right())
    assert (result["winner"], result["result"], result["reason"]) == (
        "second", "W+R", "resignation",
    )  # fmt: skip
    limited = one_game(left(), right(), move_limit=4)
    assert limited["moves"] == 4
    assert limited["reason"].startswith("move limit")


def test_dead_stones_are_agreed_on_or_judged() -> None:
    moves, wall = "B1 B2 B3 B4 B5 E1", "D1 D2 D3 D4 D5"
    willing = fake("left", "--moves", moves, "--dead", "E1")
    agreed = one_game(willing, fake("right", "--moves", wall, "--dead", "E1"))
    assert (agreed["result"], agreed["reason"]) == ("W+0.5", "count")
    # Black denies that its stone is dead, which costs White its column.
    dispute = fake("left", "--moves", moves), fake("right", "--moves", wall, "--dead", "E1")
    disputed = one_game(*dispute)
    assert (disputed["result"], disputed["reason"]) == ("B+5.5", "count of all stones, disputed")
    judge = fake("judge", "--dead", "E1")
    judged = one_game(*dispute, referee=judge)
    assert (judged["result"], judged["reason"]) == ("W+0.5", "referee's count")
    assert judged["counts"] == {"first": "B+5.5", "second": "W+0.5"}
    # The one who can't tell leaves the word to the other, unless that wins it the game.
    mute = fake("left", "--moves", moves, "--without", "final_status_list")
    believed = one_game(mute, dispute[1])
    assert (believed["result"], believed["reason"]) == ("W+0.5", "count by right alone")
    denied = one_game(mute, dispute[1], referee=fake("judge"))
    assert (denied["result"], denied["reason"]) == ("B+5.5", "referee's count")
    clear = one_game(mute, dispute[1], komi=-20.0, referee=fake("judge"))
    assert (clear["result"], clear["reason"]) == ("B+20", "count")


@pytest.mark.parametrize("options", [("--handicap", "e5 C3"), ("--without", "fixed_handicap")])
def test_handicap_stones_are_agreed_on(options: tuple[str, ...]) -> None:
    result = one_game(left(*options), right(*options), size=7, handicap=2)
    assert (result["reason"], result["fault"]) == ("count", None)


def test_handicap_stones_elsewhere_lose() -> None:
    result = one_game(left("--handicap", "C3 C5"), right(), size=7, handicap=2)
    assert (result["result"], result["fault"]) == ("W+F", "first")
    assert result["reason"] == "left answered 'fixed_handicap 2' with other points: 'C3 C5'"


def test_analysis_becomes_a_comment() -> None:
    result = one_game(left("--analyze"), right())
    assert "B2, 90 visits, wins 61.0%: B2 B2" in result["sgf"].replace("\n", "")
    assert result["moves"] == 12
    plain = one_game(left("--analyze"), right(), analyze=False)
    assert "90 visits" not in plain["sgf"]


def test_settings_are_told_before_the_game_and_a_refusal_loses_it() -> None:
    told = replace(left("--resign-below", "0.5"), settings=(("c_puct", "0.4"),))
    assert one_game(told, right())["reason"] == "resignation"
    told = replace(told, settings=(("c_puct", "0.6"),))
    assert one_game(told, right())["reason"] == "count"
    told = replace(told, settings=(("nothing", "1"),))
    result = one_game(told, right())
    assert (result["fault"], result["reason"]) == (
        "first", "left refused 'kata-set-param nothing 1': unknown parameter",
    )  # fmt: skip
