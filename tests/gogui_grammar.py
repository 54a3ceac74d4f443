"""What GoGui accepts as the reply to each type of analyze command."""

from __future__ import annotations

import re

from engine.vertex import parse_color, parse_vertex

COLORS = {"black", "blue", "cyan", "green", "gray", "magenta", "pink", "red", "white", "yellow"}


def is_point(word: str, size: int, passing: bool = False) -> bool:
    try:
        return bool(parse_vertex(word, size)) or passing
    except ValueError:
        return False


def _board(text, size, accepts):
    rows = [line.split() for line in text.splitlines() if line.strip()]
    assert [len(row) for row in rows] == [size] * size, text
    words = [word for row in rows for word in row]
    assert all(accepts(word) for word in words), text


def check_sboard(text, size):
    _board(text, size, lambda word: word == '""' or ('"' not in word and len(word) <= 6))


def check_cboard(text, size):
    _board(
        text,
        size,
        lambda w: w == '""' or w in COLORS or re.fullmatch(r"#[0-9a-f]{6}", w) is not None,
    )


def check_dboard(text, size):
    _board(text, size, lambda word: -1 <= float(word) <= 1)


def check_plist(text, size):
    assert all(is_point(word, size) for word in text.split()), text


def check_var(text, size):
    words = text.split()
    assert all(is_point(word, size, passing=True) for word in words), text


def check_string(text, size):
    assert text.strip(), "nothing to show"


def check_none(text, size):
    pass


def check_param(text, size):
    for line in text.splitlines():
        assert re.fullmatch(r"\[(bool|string|list(/\S+)+)\] \S+ .*", line), line


def check_gfx(text, size):
    for line in text.splitlines():
        word, *rest = line.split()
        if word in ("BLACK", "WHITE", "CIRCLE", "MARK", "SQUARE", "TRIANGLE"):
            assert rest
            assert all(is_point(p, size) for p in rest), line
        elif word == "COLOR":
            assert all(is_point(p, size) for p in rest[1:]), line
        elif word in ("LABEL", "INFLUENCE"):
            assert rest
            assert len(rest) % 2 == 0, line
            assert all(is_point(p, size) for p in rest[::2]), line
            if word == "INFLUENCE":
                assert all(-1 <= float(x) <= 1 for x in rest[1::2]), line
        elif word == "VAR":
            assert all(parse_color(color) for color in rest[::2]), line
            assert all(is_point(p, size, passing=True) for p in rest[1::2]), line
        else:
            assert word in ("TEXT", "CLEAR"), line


CHECKS = {
    "sboard": check_sboard,
    "cboard": check_cboard,
    "dboard": check_dboard,
    "plist": check_plist,
    "var": check_var,
    "varb": check_var,
    "varc": check_var,
    "varw": check_var,
    "string": check_string,
    "hstring": check_string,
    "none": check_none,
    "param": check_param,
    "gfx": check_gfx,
}
