"""Reading game records."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from engine.geometry import BLACK, PASS, WHITE, point
from knowledge.records import read_records

GAME = b"(;GM[1]FF[4]SZ[9]KM[6.5]BR[3d]WR[2k]RE[B+1.5]RU[Chinese];B[ee];W[cc];B[];W[tt])"
SLOPPY = b"(;SZ[9]C[a \\] bracket (and; more]\n;B[aa]\n(;W[bb])(;W[cc]))\n (;SZ[19];B[pd])"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_one_game_in_any_packing(pack, tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(pack(GAME + b"\n" + GAME + b"\n"))
    records, bad = read_records(file)
    assert (len(records), bad) == (2, 0)
    record = records[0]
    assert (record.size, record.komi, record.result) == (9, 6.5, "B+1.5")
    assert (record.ranks, record.rules) == (("3d", "2k"), "Chinese")
    assert list(record.colors) == [BLACK, WHITE, BLACK, WHITE]
    assert list(record.points) == [point(4, 4), point(6, 2), PASS, PASS]
    assert len(read_records(file, first=1)[0]) == 1


def test_games_over_several_lines_follow_the_main_line(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(SLOPPY)
    records, bad = read_records(file)
    assert [(r.size, len(r.points)) for r in records] == [(9, 2), (19, 1)]
    assert list(records[0].points) == [point(8, 0), point(7, 1)]
    assert bad == 0


def test_broken_and_uneven_games_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    illegal = b"(;SZ[9];B[ee];W[ee])\n(;SZ[30];B[aa])"
    file.write_bytes(GAME + b"\n(;SZ[9]HA[2]AB[aa][bb];W[cc])\n(;SZ[9];B[zz])\n(;SZ[9\n" + illegal)
    records, bad = read_records(file)
    assert (len(records), bad) == (1, 5)
