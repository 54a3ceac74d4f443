"""Ranks, dates, winners, komi and sizes as people write them."""

from __future__ import annotations

import pytest

from engine.geometry import BLACK, WHITE
from knowledge.record_facts import (
    date_value,
    komi_value,
    rank_text,
    rank_value,
    size_value,
    winner,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1d", 1), ("9d", 9), ("10d", 10), ("1p", 11), ("9p", 19), ("1k", -1), ("30k", -30),
        ("6 dan", 6), ("6D", 6), ("6d?", 6), ("6d*", 6), ("4 kyu", -4), ("4-kyu", -4), (" 3d ", 3),
        ("9 dan pro", 19), ("9dan, pro", 19), ("3 dan amateur", 3), ("九段", 9), ("初段", 1),
        ("一段", 1), ("5段", 5), ("3級", -3), ("2级", -2),
        ("", 0), ("?", 0), ("-", 0), ("NR", 0), ("Honinbo", 0), ("25th Honinbo", 0), ("0d", 0),
        ("31k", 0), ("11d", 0), ("10p", 0), ("1200", 0), ("d", 0),
    ],
)  # fmt: skip
def test_ranks(text: str, value: int) -> None:
    assert rank_value(text) == value


def test_ranks_as_text() -> None:
    for value in range(-30, 20):
        assert rank_value(rank_text(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2006-01-31", 20060131), ("2006-01", 20060100), ("2006", 20060000),
        ("1996-12-27,28,1997-01-03", 19961227), ("2006/1/2", 20060102), ("2006.01.02", 20060102),
        ("2006年1月2日", 20060102), ("20060102", 20060102), ("Published 1993", 19930000),
        ("1582", 15820000), ("17.03.2005", 20050000), ("2006-13-01", 20060000),
        ("2006-02-32", 20060200), ("2006-01-02 18:00", 20060102), ("2003,2004", 20030000),
        ("", 0), ("unknown", 0), ("12345", 0), ("0999", 0), ("06-01-02", 0),
    ],
)  # fmt: skip
def test_dates(text: str, value: int) -> None:
    assert date_value(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("B+3.5", BLACK), ("W+R", WHITE), ("b+", BLACK), (" W+Time", WHITE), ("B +2", BLACK),
        ("Black+3", BLACK), ("White wins", WHITE), ("black won by 2", BLACK),
        ("黑中盘胜", BLACK), ("白中押し勝ち", WHITE), ("白胜", WHITE), ("黒2目半勝", BLACK),
        ("0", 0), ("Draw", 0), ("Void", 0), ("?", 0), ("", 0), ("jigo", 0), ("Both lost", 0),
        ("Wrong", 0), ("black", 0),
    ],
)  # fmt: skip
def test_winners(text: str, value: int) -> None:
    assert winner(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6.5", 6.5), ("6,5", 6.5), (" 5.50 ", 5.5), ("-3", -3.0), ("0", 0.0), ("6.5目", 6.5),
        ("", 0.0), ("?", 0.0), ("nan", 0.0), ("1e9", 0.0), ("3 3/4", 0.0), ("six", 0.0),
    ],
)  # fmt: skip
def test_komi(text: str, value: float) -> None:
    assert komi_value(text) == value


def test_sizes() -> None:
    assert [size_value(text) for text in ("19", " 9 ", "13:13", "2", "25")] == [19, 9, 13, 2, 25]
    for text in ("26", "1", "0", "-9", "9:13", "", "big", "9\n(;SZ[9"):
        with pytest.raises(ValueError, match="board"):
            size_value(text)
