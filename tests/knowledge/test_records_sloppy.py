"""Sloppy files and old encodings: read where the moves are clear, refused where they aren't."""

from __future__ import annotations

import numpy as np
import pytest

from engine.geometry import BLACK, PASS, WHITE, point
from knowledge.game_bounds import game_bounds
from knowledge.record_parser import WHITE_BIT, Parsed, parse_game, parse_games

E5, C7, A9 = point(4, 4), point(6, 2), point(8, 0)


def parsed(data: bytes) -> list[Parsed]:
    return [parse_game(data[start:end]) for start, end in game_bounds(data)]


def moves(game: Parsed) -> list[int]:
    """Points, those of white negative."""
    return [-(p - WHITE_BIT) if p >= WHITE_BIT else p for p in game.moves.tolist()]


TWO_MOVES = [
    b"(;SZ[9];B[ee];W[cc])",
    b"(;SZ[9];B[ee];W[cc]",
    b"(;SZ[9];B[ee];W[cc]\n\x1a",
    b"(;SZ[9];B[ee];W[cc]\0\0",
    b"(;SZ[9](;B[ee](;W[cc]",
    b"(;SZ[9];B[ee];W[cc]))) trailing text",
    b"(;SZ[9];B[ee];W[cc])\n-- \nSent by mail (really)",
    b"\xef\xbb\xbf(;SZ[9];B[ee];W[cc])",
    b"Subject: a game (1 of 2)\n\n(;SZ[9];B[ee];W[cc])",
    b"( ;\r\nSZ[9]\r\n;B[ee]\r\n;W[cc]\r\n)\r\n",
    b"(;SZ[9];B [ee] ;W\n[cc])",
    b"(;SiZe[9]GaMe[1];Black[ee];White[cc])",
    b"(;Size[9]SZ[9];B[ee];W[cc])",
    b"(;SZ[ 9 ];B[ee];W[cc])",
    b"(;GM[]SZ[9];B[ee];W[cc])",
    b"(;SZ[9]B[ee];W[cc])",
    b"(;SZ[9];B[ee]W[cc])",
    b"(;SZ[9];B[ee];;C[nothing here];W[cc];C[the end])",
    b"(;SZ[9];B[ee]BL[300]C[good];W[cc]WL[299]OW[5])",
    b"(;SZ[9];B[ee]C[a \\] b \\\\];W[cc])",
    b"(;SZ[9];B[ee]C[line \\\n];W[cc])",
    b"(;SZ[9];B[ee]C[(;GM[1\\]SZ[5\\])];W[cc])",
    b"(;SZ[9];B[ee]LB[aa:1][bb:2]TR[cc];W[cc])",
    b"(;SZ[9];B[ee]XY[1][2];W[cc])",
    b"(;SZ[9];B[ee]C;W[cc])",
    b"(;SZ[9];B[ee]();W[cc])",
    b"(;SZ[9];B[ee](;W[cc])(;W[dd];B[gg]))",
    b"(;SZ[9];B[ee](;W[cc])(;W[dd]",
    b"(;SZ[9]PB[Ann [x] Lee]PW[Bo];B[ee];W[cc])",
    b"(;SZ[9]PB[Ann]=[]PW[Bo] Bob];B[ee];W[cc])",
    b"(;SZ[9];B[ee]C[see [1] and [2], and so on];W[cc])",
    b"(;SZ[9];B[ee]C[a [b] c d];W[cc]C[1] 2]",
    b"(;SZ[9]KM[?]HA[none]DT[]RE[];B[ee];W[cc])",
    b"(;SZ[9];B[ee];W[cc];AE[ee])",
    b"(;SZ[9]AB[aa];AE[aa];B[ee];W[cc])",
    b"(;SZ[9]AB[];B[ee];W[cc])",
    b"(;SZ[9]HA[0];B[ee];W[cc])",
    b"(;SZ[9]HA[1];B[ee];W[cc])",
    "(;SZ[9]PB[名人];B[ee];W[cc])".encode(),
]  # fmt: skip


@pytest.mark.parametrize("data", TWO_MOVES)
def test_clear_moves_are_read(data: bytes) -> None:
    (game,) = parsed(data)
    assert (game.size, moves(game), game.handicap, len(game.setup)) == (9, [E5, -C7], 0, 0)


@pytest.mark.parametrize("data", TWO_MOVES)
def test_a_sloppy_game_does_not_touch_the_next(data: bytes) -> None:
    games = parsed(data + b"\n(;GM[1]SZ[19];B[aa])")
    assert [game.size for game in games] == [9, 19]
    assert moves(games[0]) == [E5, -C7]


def test_a_cut_game_does_not_swallow_the_next() -> None:
    for cut in (b"(;SZ[9];B[ee];W[c", b"(;SZ[9", b"(;SZ[9];B[ee]C[and then", b"(;SZ[9];B[ee];W["):
        data = cut + b"\n(;SZ[9];B[ee];W[cc])\n" + cut
        games, problems = parse_games(["1", "2", "3"], [data[s:e] for s, e in game_bounds(data)])
        assert games.source == ["2"]
        assert games.points.tolist() == [E5, C7]
        assert [label for label, _ in problems] == ["1", "3"]


@pytest.mark.parametrize(
    "data",
    [
        b"(;SZ[9];B[ee],W[cc])",
        b"(;SZ[9];B[ee]C[see [1]: B[cc]];W[cc])",
        b"(;SZ[9];C[see [1] B[ee] here];W[cc])",
        b"(;SZ[9];B[ee]C[see [1] W[aa] here];W[cc])",
        b"(;SZ[9];B[ee]C[see [1]; then here];W[cc])",
        b"(;SZ[9];B[ee]C[see [1] (or not)];W[cc])",
        b"(;SZ[9];B[ee]C[see [1])];W[cc])",
        b"(;SZ[9];B[ee]);W[cc];B[aa])",
    ],
)
def test_unclear_moves_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not understood|behind|without|not a point"):
        parsed(data)


def test_passes() -> None:
    for nine in (b"(;SZ[9];B[];W[tt];B[ ])", b"(;SZ[9];B[];W[tt];B[]C[x]XX[y])"):
        assert parse_game(nine).moves.tolist() == [PASS, WHITE_BIT | PASS, PASS]
    # On larger boards tt is a point.
    for large in (b"(;SZ[21];B[tt];W[])", b"(;SZ[21];B[tt];W[]XX[y])"):
        assert parse_game(large).moves.tolist() == [point(1, 19), WHITE_BIT | PASS]


def test_the_size_is_19_if_nothing_says_otherwise() -> None:
    game = parse_game(b"(;FF[4];B[aa])")
    assert (game.size, game.moves.tolist()) == (19, [point(18, 0)])


# --- Handicaps and setups --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "handicap", "setup", "played"),
    [
        (b"(;SZ[9]HA[2]AB[ee][cc];W[aa])", 2, [C7, E5], [-A9]),
        (b"(;SZ[9]HA[2];AB[ee];AB[cc];W[aa])", 2, [E5, C7], [-A9]),
        (b"(;SZ[9]HA[9]AB[ee][cc];W[aa])", 2, [C7, E5], [-A9]),
        (b"(;SZ[9]HA[2];B[ee];B[cc];W[aa])", 2, [E5, C7], [-A9]),
        (b"(;SZ[9]HA[2];B[ee];B[cc]XX[1];W[aa])", 2, [E5, C7], [-A9]),
        (b"(;SZ[9]AB[ee]AW[cc];B[aa])", 0, [E5, -C7], [A9]),
        (b"(;SZ[9]HA[2]AB[ee]AW[cc];B[aa])", 0, [E5, -C7], [A9]),
        (b"(;SZ[9]AB[ee][cc]AE[ff];AE[cc];W[aa])", 0, [E5], [-A9]),
        (b"(;SZ[9]AB[aa:ab];W[ee])", 0, [point(7, 0), A9], [-E5]),
        (b"(;SZ[9]AB[ab:aa];W[ee])", 0, [point(7, 0), A9], [-E5]),
        (b"(;SZ[9]AB[aa]AB[cc];W[ee])", 0, [C7, A9], [-E5]),
    ],
)
def test_setups(data: bytes, handicap: int, setup: list[int], played: list[int]) -> None:
    game = parse_game(data)
    stones = [-(p - WHITE_BIT) if p >= WHITE_BIT else p for p in game.setup.tolist()]
    assert (game.handicap, sorted(stones), moves(game)) == (handicap, sorted(setup), played)


@pytest.mark.parametrize(
    "data",
    [
        b"(;SZ[9]HA[3];B[ee];B[cc];W[aa])",
        b"(;SZ[9]HA[2];B[ee];W[cc];B[aa])",
        b"(;SZ[9]HA[2];B[ee];B[];W[aa])",
        b"(;SZ[9]HA[2];B[ee];B[ee];W[aa])",
        b"(;SZ[9]HA[2])",
    ],
)
def test_a_handicap_without_its_stones_is_unclear(data: bytes) -> None:
    with pytest.raises(ValueError, match="without its stones"):
        parse_game(data)


def test_colours_of_columns() -> None:
    games, _ = parse_games(["a"], [b"(;SZ[9]AB[ee]AW[cc];W[aa];B[])"])
    assert games.colors.tolist() == [WHITE, BLACK]
    assert games.setup_colors.tolist() == [BLACK, WHITE]
    assert games.points.dtype == games.setup_points.dtype == np.uint16


# --- Encodings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "encoding", "declared"),
    [
        ("Müller", "latin-1", ""),
        ("Müller", "latin-1", "ISO-8859-1"),
        ("Müller", "latin-1", "UTF-8"),
        ("René Ödön", "latin-1", ""),
        ("Müller", "utf-8", ""),
        ("Müller", "utf-8", "ISO-8859-1"),
        ("Müller", "cp1252", "windows-1252"),
        ("聂卫平", "gb2312", ""),
        ("聂卫平", "gb2312", "GB2312"),
        ("聂卫平", "gb2312", "UTF-8"),
        ("聂卫平", "gb2312", "ISO-8859-1"),
        ("朴廷桓", "gbk", "gb2312"),
        ("趙治勲", "shift_jis", ""),
        ("趙治勲", "shift_jis", "Shift_JIS"),
        ("趙治勲", "shift_jis", "UTF-8"),
        ("趙治勲", "euc_jp", "EUC-JP"),
        ("周俊勳", "big5", "Big5"),
        ("이세돌", "euc_kr", "EUC-KR"),
        ("聂卫平", "utf-8", "no such thing"),
        ("聂卫平", "utf-8", "UTF-16"),
        ("聂卫平", "utf-8", "hex"),
    ],
)
def test_names_in_old_encodings(name: str, encoding: str, declared: str) -> None:
    named = f"CA[{declared}]" if declared else ""
    game = parse_game(f"(;SZ[9]{named}PB[{name}]PW[ Bo ];B[ee];W[cc])".encode(encoding))
    assert (game.texts["PB"], game.texts["PW"]) == (name, "Bo")
    assert moves(game) == [E5, -C7]


@pytest.mark.parametrize("escaped", [False, True])
@pytest.mark.parametrize("declared", ["CA[Shift_JIS]", ""])
def test_letters_that_look_like_brackets(escaped: bool, declared: str) -> None:
    """In Shift-JIS the second byte of 表 and ソ is a backslash, that of ゼ and ゾ a bracket."""
    for letter in "表ソゼゾ":
        raw = letter.encode("shift_jis")
        assert raw[1:] in (b"[", b"]", b"\\")
        written = raw.replace(b"\\", b"\\\\").replace(b"]", b"\\]") if escaped else raw
        text = f"(;SZ[9]{declared}PB[趙治勲];B[ee]C[@];W[cc];B[aa]XX[1])".encode("shift_jis")
        assert moves(parse_game(text.replace(b"@", written))) == [E5, -C7, A9], letter
        fast = text.replace(b"XX[1]", b"").replace(b"@", written)
        assert moves(parse_game(fast)) == [E5, -C7, A9], letter


def test_texts_are_one_line() -> None:
    game = parse_game(b"(;SZ[9]PB[ two\nlines\\] and\0more ]RE[B\\+1];B[ee])")
    assert game.texts["PB"] == "two lines] and more"
    assert game.texts["RE"] == "B+1"
