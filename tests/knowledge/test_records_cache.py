"""The cache of games: found again by content, rebuilt when damaged, never half written."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from engine.geometry import BLACK, WHITE, point
from knowledge import record_cache, records
from knowledge.games import Games
from knowledge.records import Filters, read_games

TEXT = (
    "(;SZ[9]KM[6.5]PB[聂卫平]PW[Bo]BR[9p]WR[3k]RE[B+R]RU[Chinese]DT[2006-01];B[ee];W[];B[cc])\n"
    "(;SZ[9];B[zz])\n"
    "(;SZ[19]HA[2]AB[dd][pp];W[dp])\n"
    "(;SZ[9];B[aa];W[aa])\n"
    "(;SZ[5])\n"
).encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that keeps even small sources."""
    result = tmp_path / "cache" / "records"
    monkeypatch.setattr(record_cache, "cache_folder", lambda: result)
    monkeypatch.setattr(records, "CACHE_FROM_BYTES", 1)
    return result


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    path.write_bytes(TEXT)
    return path


@pytest.fixture
def parsings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets an entry whenever games are parsed."""
    calls: list[int] = []
    parse = records.parse_games

    def counted(labels, texts):
        calls.append(len(texts))
        return parse(labels, texts)

    monkeypatch.setattr(records, "parse_games", counted)
    return calls


def equal(one: Games, other: Games) -> bool:
    pairs = zip(one, other, strict=True)
    return all(np.array_equal(a, b) for games in pairs for a, b in zip(*games, strict=True))


def test_a_second_run_reads_the_same_from_the_cache(
    folder: Path, file: Path, parsings: list[int], capsys: pytest.CaptureFixture
) -> None:
    first = read_games(file)
    said = capsys.readouterr().err
    second = read_games(file)
    assert parsings == [5]
    assert len(first) == 3
    assert equal(first, second)
    assert second.game(0).names == ("聂卫平", "Bo")
    assert second.game(1).setup == ([point(3, 15), point(15, 3)], [])
    assert second.source == ["games.sgf #1", "games.sgf #3", "games.sgf #5"]
    assert capsys.readouterr().err == said
    assert said.count("left out games.sgf #") == 2
    assert [path.suffix for path in folder.iterdir()] == [".npz"]


def test_types_are_the_same_from_the_cache(folder: Path, file: Path) -> None:
    first, second = read_games(file), read_games(file)
    for name, value in vars(first).items():
        other = getattr(second, name)
        assert type(value) is type(other)
        if isinstance(value, np.ndarray):
            assert value.dtype == other.dtype, name
            assert other.flags.writeable, name


def test_filters_come_after_the_cache(folder: Path, file: Path, parsings: list[int]) -> None:
    assert len(read_games(file, Filters(size=19))) == 1
    assert read_games(file, Filters(winner_only=True)).learn.sum() == 2
    games = read_games(file)
    assert len(games) == 3
    assert games.learn.all()
    assert parsings == [5]


def test_the_content_counts_not_the_name(folder: Path, file: Path, parsings: list[int]) -> None:
    read_games(file)
    other = file.with_name("other.sgf")
    file.rename(other)
    assert read_games(other).source[0] == "other.sgf #1"
    assert len(parsings) == 1
    other.write_bytes(TEXT + b"(;SZ[9];B[aa])")
    assert len(read_games(other)) == 4
    assert len(parsings) == 2


def test_a_folder_is_found_again_until_a_file_changes(
    folder: Path, file: Path, parsings: list[int]
) -> None:
    home = file.parent / "mine"
    home.mkdir()
    for name in ("a.sgf", "b.sgf"):
        (home / name).write_bytes(TEXT)
    assert len(read_games(home)) == len(read_games(home)) == 6
    assert len(parsings) == 1
    (home / "b.sgf").rename(home / "c.sgf")
    assert read_games(home).source[-1] == "mine/c.sgf #5"
    assert len(parsings) == 2


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "other arrays"])
def test_a_damaged_cache_is_rebuilt(
    damage: str, folder: Path, file: Path, parsings: list[int], capsys: pytest.CaptureFixture
) -> None:
    expected = read_games(file)
    said = capsys.readouterr().err
    (cache,) = folder.iterdir()
    data = cache.read_bytes()
    if damage == "cut":
        cache.write_bytes(data[: len(data) // 2])
    elif damage == "flipped":
        at = data.index(np.array([9, 19, 5], np.uint8).tobytes())
        cache.write_bytes(data[:at] + b"\x07" + data[at + 1 :])
    elif damage == "empty":
        cache.write_bytes(b"")
    elif damage == "text":
        cache.write_bytes(b"hello")
    else:
        np.savez(cache, sizes=np.zeros(3, np.uint8))
    assert equal(read_games(file), expected)
    assert len(parsings) == 2
    assert capsys.readouterr().err == said
    assert equal(read_games(file), expected)
    assert len(parsings) == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("moves", np.full(4, 800, np.uint16)),
        ("lengths", np.array([2, 3, -1], np.int32)),
        ("lengths", np.array([3, 1, 1], np.int32)),
        ("sizes", np.array([9, 99, 5], np.uint8)),
        ("sizes", np.array([9, 19, 5], np.int64)),
        ("date", np.array([0], np.int32)),
        ("texts", np.frombuffer(b"a\0b", np.uint8)),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(
    name: str, value: np.ndarray, folder: Path, file: Path, parsings: list[int]
) -> None:
    read_games(file)
    (cache,) = folder.iterdir()
    with np.load(cache) as archive:
        arrays = {key: archive[key] for key in archive.files}
    np.savez(cache, **(arrays | {name: value}))
    read_games(file)
    assert len(parsings) == 2


def test_a_write_that_fails_leaves_nothing_behind(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args, **kwargs):
        args[0].write(b"half of it")
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", full)
    assert len(read_games(file)) == 3
    assert list(folder.iterdir()) == []

    def stopped(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", stopped)
    with pytest.raises(KeyboardInterrupt):
        read_games(file)
    assert list(folder.iterdir()) == []


def test_an_old_file_stays_until_the_new_one_is_complete(folder: Path, file: Path) -> None:
    """The new file is another one, put in place by a single rename."""
    games = Games.from_moves(9, [[(BLACK, point(0, 0))]])
    record_cache.save("key", games, [])
    before = (folder / "key.npz").stat().st_ino
    with (folder / "key.npz").open("rb") as old:
        record_cache.save("key", Games.from_moves(9, [[(WHITE, point(1, 1))]]), [("a", "b")])
        assert (folder / "key.npz").stat().st_ino != before
        assert len(old.read()) > 0
    found = record_cache.load("key")
    assert found is not None
    assert found[0].colors.tolist() == [WHITE]
    assert found[1] == [("a", "b")]


def test_where_nothing_can_be_written_games_are_still_read(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "CACHE_FROM_BYTES", 1)
    (tmp_path / "taken").write_bytes(b"")
    for nowhere in (None, tmp_path / "taken" / "records"):
        monkeypatch.setattr(record_cache, "cache_folder", lambda nowhere=nowhere: nowhere)
        assert len(read_games(file)) == 3


def test_the_oldest_files_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = Games.from_moves(9, [[(BLACK, point(0, 0))]])
    for age, key in enumerate(("new", "used", "old")):
        record_cache.save(key, games, [])
        when = 1_000_000 - 1000 * age
        os.utime(folder / f"{key}.npz", (when, when))
    size = (folder / "new.npz").stat().st_size
    assert record_cache.load("used") is not None  # which makes it the newest
    monkeypatch.setattr(record_cache, "MOST_BYTES", 3 * size + size // 2)
    record_cache.save("more", games, [])
    assert {path.stem for path in folder.iterdir()} == {"more", "used", "new"}
    monkeypatch.setattr(record_cache, "MOST_BYTES", 1)
    record_cache.save("last", games, [])
    assert {path.stem for path in folder.iterdir()} == {"last"}


def test_small_sources_are_not_kept(file: Path, folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(records, "CACHE_FROM_BYTES", len(TEXT) + 1)
    read_games(file)
    assert not folder.exists()


# --- More processes --------------------------------------------------------------------------


def test_two_processes_read_what_one_does(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch, parsings: list[int]
) -> None:
    file.write_bytes(TEXT * 30)
    monkeypatch.setattr(records, "_CHUNK", 7)
    monkeypatch.setattr(records, "CACHE_FROM_BYTES", 1 << 40)
    alone = read_games(file)
    assert len(parsings) == 22
    monkeypatch.undo()
    monkeypatch.setattr(records, "_CHUNK", 7)
    monkeypatch.setattr(records, "PROCESSES_FROM_BYTES", 1)
    monkeypatch.setattr(records.os, "cpu_count", lambda: 2)
    assert equal(read_games(file), alone)


def test_if_processes_die_we_read_alone(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch, parsings: list[int]
) -> None:
    class Dead:
        def __init__(self, *args) -> None:
            self.calls = 0

        def __enter__(self):
            return self

        def __exit__(self, *args) -> None:
            pass

        def submit(self, *args):
            self.calls += 1
            if self.calls > 2:
                raise records.BrokenProcessPool
            future: records.Future = records.Future()
            future.set_exception(records.BrokenProcessPool())
            return future

    monkeypatch.setattr(records, "ProcessPoolExecutor", Dead)
    monkeypatch.setattr(records, "PROCESSES_FROM_BYTES", 1)
    monkeypatch.setattr(records.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(records, "_CHUNK", 1)
    assert len(read_games(file)) == 3
    assert parsings == [1] * 5
