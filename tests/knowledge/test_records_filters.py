"""The filters: each lets through what it names, and the options say the same."""

from __future__ import annotations

import argparse

import pytest

from engine.geometry import BLACK, WHITE, point
from knowledge.filters import Filters
from knowledge.games import Games

MOVES = [(BLACK, point(2, 2)), (WHITE, point(3, 3)), (BLACK, point(4, 4))]
STONES = [(BLACK, point(0, 0)), (BLACK, point(1, 1))]
#        a         b         c         d         e
GAMES = Games.from_moves(
    9,
    [MOVES, MOVES[:2], MOVES, MOVES[:1], MOVES],
    [[], [], STONES, STONES[:1], []],
    sizes=[9, 19, 9, 13, 9],
    handicap=[0, 0, 2, 0, 0],
    rank_black=[6, 6, -3, 0, 19],
    rank_white=[7, 1, 5, 3, 11],
    date=[20060131, 20060200, 20070000, 0, 20051231],
    winner=[BLACK, WHITE, BLACK, 0, WHITE],
    names=[("Cho U", "Ma"), ("Müller", "Cho"), ("", ""), ("Li", "KIM"), ("x", "y")],
    source=list("abcde"),
)


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        (Filters(), "abcde"),
        (Filters(size=9), "ace"),
        (Filters(size=7), ""),
        (Filters(even=True), "abe"),
        (Filters(even=False), "c"),
        (Filters(min_moves=2), "abce"),
        (Filters(min_moves=3), "ace"),
        (Filters(player="cho"), "ab"),
        (Filters(player="MÜLL"), "b"),
        (Filters(player="kim"), "d"),
        (Filters(rank_from=1), "abe"),
        (Filters(rank_from=6), "ae"),
        (Filters(rank_to=7), "abc"),
        (Filters(rank_from=-30), "abce"),
        (Filters(rank_from=6, rank_to=9), "a"),
        (Filters(date_from=20060000), "abc"),
        (Filters(date_from=20060131), "abc"),
        (Filters(date_from=20060200), "bc"),
        (Filters(date_from=20060201), "c"),
        (Filters(date_to=20060131), "ae"),
        (Filters(date_to=20060130), "e"),
        (Filters(date_to=20060215), "ae"),
        (Filters(date_to=20060200), "abe"),
        (Filters(date_to=20060000), "abe"),
        (Filters(date_to=20070600), "abe"),
        (Filters(date_from=20060000, date_to=20060000), "ab"),
        (Filters(winner_only=True), "abcde"),
        (Filters(moves_of_rank=(-9, -1), first=2), "ab"),
        (Filters(first=2), "ab"),
        (Filters(first=2, size=9), "ac"),
        (Filters(first=99), "abcde"),
        (Filters(size=9, min_moves=3, even=True, rank_from=10), "e"),
    ],
)
def test_each_filter_lets_through_what_it_names(filters: Filters, left: str) -> None:
    assert "".join(filters.apply(GAMES).source) == left


def test_a_move_is_learned_from_if_its_player_won() -> None:
    games = Filters(winner_only=True).apply(GAMES)
    assert games.learn.tolist() == (games.colors == games.winner[games.owner]).tolist()
    assert games.game(0).learn.tolist() == [True, False, True]
    assert games.game(1).learn.tolist() == [False, True]
    assert games.game(3).learn.tolist() == [False]


def test_a_move_is_learned_from_if_its_player_has_the_rank() -> None:
    games = Filters(moves_of_rank=(5, 9)).apply(GAMES)
    assert games.game(0).learn.tolist() == [True, True, True]
    assert games.game(1).learn.tolist() == [True, False]
    assert games.game(2).learn.tolist() == [False, True, False]
    assert not games.game(3).learn.any()
    assert not games.game(4).learn.any()
    both = Filters(moves_of_rank=(5, 9), winner_only=True).apply(GAMES)
    assert both.game(0).learn.tolist() == [True, False, True]
    assert not both.select([1, 2, 3, 4]).learn.any()
    assert GAMES.learn.all()


def test_a_sample_is_drawn_from_what_passes() -> None:
    chosen = {
        "".join(Filters(size=9, sample=2, seed=seed).apply(GAMES).source) for seed in range(40)
    }
    assert chosen == {"ac", "ae", "ce"}
    one = Filters(sample=3, seed=5)
    assert one.apply(GAMES).source == one.apply(GAMES).source
    assert len(Filters(sample=3, first=2).apply(GAMES)) == 2


def parsed(*words: str, **defaults: int) -> Filters:
    parser = argparse.ArgumentParser()
    Filters.add_arguments(parser, **defaults)
    return Filters.from_arguments(parser.parse_args(words))


@pytest.mark.parametrize(
    ("words", "filters"),
    [
        ("", Filters()),
        ("--size 9 --even", Filters(size=9, even=True)),
        ("--handicap --min-moves 30", Filters(even=False, min_moves=30)),
        ("--player 'Cho U'", Filters(player="Cho U")),
        ("--rank-from 6d --rank-to 9p", Filters(rank_from=6, rank_to=19)),
        ("--date-from 2006-01 --date-to 2007", Filters(date_from=20060100, date_to=20070000)),
        ("--date-from 2006-01-31", Filters(date_from=20060131)),
        ("--winner-only", Filters(winner_only=True)),
        ("--moves-of-rank 5k-1d", Filters(moves_of_rank=(-5, 1))),
        ("--first 7 --sample 9 --seed 4", Filters(first=7, sample=9, seed=4)),
    ],
)
def test_the_options_and_the_filters_say_the_same(words: str, filters: Filters) -> None:
    split = [word.strip("'") for word in words.replace("'Cho U'", "'Cho_U'").split()]
    assert parsed(*(word.replace("_", " ") for word in split)) == filters
    assert sorted(filters.options().split()) == sorted(words.split())


def test_one_rank_means_it_and_all_stronger_ones() -> None:
    assert parsed("--moves-of-rank", "1d") == Filters(moves_of_rank=(1, 19))


def test_a_subcommand_has_its_own_defaults(capsys: pytest.CaptureFixture) -> None:
    assert parsed(first=20, size=19) == Filters(first=20, size=19)
    assert parsed("--first", "3", first=20) == Filters(first=3)
    with pytest.raises(SystemExit):
        parsed("--help", first=20)
    assert "(default 20)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        "--size 26", "--size x", "--min-moves 0", "--rank-from 6", "--rank-from dan",
        "--rank-to 10p", "--moves-of-rank 1d-5k", "--moves-of-rank 1d-", "--date-from 06-01",
        "--date-from 2006-13", "--date-to yesterday", "--first 0", "--sample -1", "--seed x",
        "--even --handicap",
    ],
)  # fmt: skip
def test_bad_options_are_refused(words: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        parsed(*words.split())
    assert words.split()[-2 if " " in words and "even" not in words else -1] in (
        capsys.readouterr().err
    )
