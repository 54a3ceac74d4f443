"""Reading game records: any packaging, broken games named, and twins for everything fast."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sgfmill import sgf, sgf_grammar

from engine.commands.games import read_games as read_for_command
from engine.commands.main import CommandError
from engine.geometry import BLACK, PASS, WHITE, point
from engine.vertex import vertex_text
from knowledge.game_bounds import game_bounds
from knowledge.games import Games
from knowledge.record_parser import parse_game
from knowledge.records import BadRecords, Filters, read_games
from knowledge.replay import illegal_games
from tests.naive import game_bounds as naive
from tests.naive.board import NaiveGame

GNUGO = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
GAME = (
    b"(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ann]PW[Bo]BR[3d]WR[2k]RE[B+1.5]RU[Chinese]DT[2006-01-31]"
    b";B[ee];W[cc];B[];W[tt])"
)
OTHER = b"(;SZ[19];B[pd];W[dp])"


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


FILES = {"a.sgf": GAME, "deep/down/b.SGF": OTHER, "notes.txt": b"(;SZ[5])", "deep/x.png": b"."}
PACKAGINGS: dict[str, bytes] = {
    "games.zip": zipped(FILES),
    "games.tar": tarred(FILES),
    "games.tar.gz": gzip.compress(tarred(FILES)),
    "games.tar.xz": lzma.compress(tarred(FILES)),
    "games.tgz": gzip.compress(tarred(FILES)),
    "any name at all": zipped(FILES),
    "nested.zip": zipped({"a.sgf.gz": gzip.compress(GAME), "z/b.zip": zipped({"b.sgf": OTHER})}),
    "mac.zip": zipped({"a.sgf": GAME, "b.sgf": OTHER, "__MACOSX/._a.sgf": b"\0\5\26\7"}),
}


def facts(games: Games) -> list[tuple[int, int, str]]:
    return [(game.size, len(game.points), game.result) for game in games]


# --- Packaging -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PACKAGINGS)
def test_archives(name: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / name
    file.write_bytes(PACKAGINGS[name])
    games = read_games(file)
    assert facts(games) == [(9, 4, "B+1.5"), (19, 2, "")]
    assert games.source[0].startswith(f"{name}/a.sgf")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_single_games_and_collections(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(pack(GAME))
    assert read_games(str(file)).source == ["games.sgf"]
    file.write_bytes(pack(GAME + b"\n" + OTHER + b"\n" + GAME))
    games = read_games([file])
    assert facts(games) == [(9, 4, "B+1.5"), (19, 2, ""), (9, 4, "B+1.5")]
    assert games.source == ["games.sgf #1", "games.sgf #2", "games.sgf #3"]


def test_a_folder_of_anything(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    for name, data in (FILES | {"c/d.sgf.xz": lzma.compress(OTHER + OTHER)}).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    (folder / "more.zip").write_bytes(zipped({"e.sgf": GAME}))
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "f.sgf").write_bytes(GAME)
    assert read_games(folder).source == [
        "mine/a.sgf", "mine/more.zip/e.sgf", "mine/c/d.sgf.xz #1", "mine/c/d.sgf.xz #2",
        "mine/deep/down/b.SGF",
    ]  # fmt: skip


def test_a_game_says_what_its_record_says(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(GAME)
    game = read_games(file).game(0)
    assert game.colors.tolist() == [BLACK, WHITE, BLACK, WHITE]
    assert game.points.tolist() == [point(4, 4), point(6, 2), PASS, PASS]
    assert game.learn.all()
    assert (game.size, game.komi, game.handicap, game.winner) == (9, 6.5, 0, BLACK)
    assert (game.ranks, game.names, game.date) == ((3, -2), ("Ann", "Bo"), 20060131)
    assert (game.result, game.rules) == ("B+1.5", "Chinese")


def test_several_sources_and_filters(tmp_path: Path) -> None:
    one, two = tmp_path / "one.sgf", tmp_path / "two.sgf"
    one.write_bytes(GAME + OTHER)
    two.write_bytes(OTHER)
    assert read_games([one, two], Filters(size=19)).source == ["one.sgf #2", "two.sgf"]
    assert read_games([one, two], Filters(first=1)).source == ["one.sgf #1"]


# --- What is wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (b"(;SZ[9];B[ee];W[ee])", "move 2 at E5 is illegal: occupied"),
        (b"(;SZ[5];B[ba];B[ab];B[bc];W[ca];W[db];W[cc];B[cb];W[bb];B[cb])",
         "move 9 at C4 is illegal: ko"),
        (b"(;SZ[9];B[zz])", "not a point of the board: 'zz'"),
        (b"(;SZ[9];B[jj])", "not a point of the board: 'jj'"),
        (b"(;SZ[9];B[e])", "not a point of the board: 'e'"),
        (b"(;SZ[30];B[aa])", "board size 30 is not in 2 to 25"),
        (b"(;SZ[9:13];B[aa])", "not a square board: '9:13'"),
        (b"(;SZ[];B[aa])", "not a board size: ''"),
        (b"(;GM[2]SZ[9];B[aa])", "not a game of Go"),
        (b"(;SZ[9]AB[ab][ba]AW[aa];B[ee])", "the stones set up include a chain without liberties"),
        (b"(;SZ[9]AB[aa]AW[aa];B[ee])", "a point is set up twice"),
        (b"(;SZ[9]AB[tt];B[ee])", "not a point of the board: 'tt'"),
        (b"(;SZ[9];B[ee];AW[aa];W[cc])", "stones are set up after move 1"),
        (b"(;SZ[9]HA[2];W[cc];B[ee])", "a handicap of 2 without its stones"),
        (b"(;SZ[9];B[ee];W,[cc])", "not understood: ',[cc]'"),
        (b"(;SZ[9];B[ee];W[c", "not understood: '[c'"),
        (b"(;SZ[9];B[ee];W;B[cc])", "W without a point"),
    ],
)  # fmt: skip
def test_a_broken_game_is_named_and_the_rest_goes_on(
    game: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(GAME + b"\n" + game + b"\n" + GAME)
    assert read_games(file).source == ["games.sgf #1", "games.sgf #3"]
    assert capsys.readouterr().err == f"left out games.sgf #2: {reason}\n"


def test_ten_broken_games_are_named_and_the_others_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(b"\n".join([b"(;SZ[9];B[zz])"] * 7 + [GAME] + [b"(;SZ[9];B[aa];W[aa])"] * 6))
    assert len(read_games(file)) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert all(line.startswith("left out games.sgf #") for line in lines[:10])
    assert lines[10] == "left out 3 more"
    file.write_bytes(b"\n".join([b"(;SZ[9];B[zz])"] * 10))
    assert len(read_games(file)) == 0
    assert len(capsys.readouterr().err.splitlines()) == 10


def test_damage_within_a_source_is_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "a.sgf").write_bytes(GAME)
    (tmp_path / "b.sgf.xz").write_bytes(lzma.compress(GAME)[:-20])
    (tmp_path / "c.zip").write_bytes(zipped({"c.sgf": GAME})[:-30])
    (tmp_path / "d.sgf").write_bytes(b"no game at all")
    assert read_games(tmp_path).source == [f"{tmp_path.name}/a.sgf"]
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0].rpartition("/")[2] for line in lines] == [
        "b.sgf.xz",
        "c.zip",
        "d.sgf",
    ]
    assert "damaged or cut short" in lines[0]
    assert "no game record in it" in lines[2]


@pytest.mark.parametrize(
    "data",
    [
        lzma.compress(GAME * 50)[:-20],
        gzip.compress(GAME)[:-9],
        zipped(FILES)[:-40],
        lzma.compress(tarred(FILES)[:700]),
        b"",
        b"hello",
        zipped({"readme.txt": b"(;SZ[9])"}),
    ],
)
def test_a_source_that_is_no_record_is_refused(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(data)
    with pytest.raises(BadRecords, match=r"^\S+games\.sgf: "):
        read_games(file)
    with pytest.raises(CommandError, match=r"^cannot read \S+games\.sgf: [^\n]+$"):
        read_for_command(file)


def test_missing_sources_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="^cannot read .*nowhere.sgf: No such file"):
        read_for_command(tmp_path / "nowhere.sgf")
    with pytest.raises(CommandError, match="no game records in it"):
        read_for_command(tmp_path)


# --- Twins -----------------------------------------------------------------------------------


def pieces(seed: int) -> bytes:
    """Text that looks like games and is as broken as can be."""
    rng = random.Random(seed)
    parts = [
        b"(;GM[1]SZ[9]", b"(;B[aa]", b";W[bb]", b")", b"(", b"[", b"]", b"\\", b"\n", b" ", b"\n(;",
        b"\n(;SZ[9]", b"\n( ; FileFormat [3]", b"C[a \\] (;GM[1\\]) ]", b"\n(;GM[1\\]", b"text",
        b"(;CA[", b"C[\n(;SZ[9];B[aa]", b"\r(;AP[x]", b"(;XY[1]", b";",
    ]  # fmt: skip
    return b"".join(rng.choice(parts) for _ in range(rng.randrange(30)))


def test_bounds_are_those_of_the_twin() -> None:
    found = 0
    for seed in range(3000):
        data = pieces(seed)
        bounds = game_bounds(data)
        assert bounds == naive.game_bounds(data), data
        found += len(bounds)
    assert found > 3000
    assert game_bounds(b"") == []


def by_sgfmill(text: bytes) -> tuple[int, list[tuple[int, int]], list[int]]:
    """Size, moves and handicap stones of a game as sgfmill reads it."""
    game = sgf.Sgf_game.from_bytes(text)
    moves = []
    for node in game.get_main_sequence():
        letter, place = node.get_move()
        if letter is not None:
            moves.append(
                ({"b": BLACK, "w": WHITE}[letter], PASS if place is None else point(*place))
            )
    black, _, _ = game.get_root().get_setup_stones()
    return game.get_size(), moves, sorted(point(*place) for place in black)


def check_against_sgfmill(games: Games, text: bytes) -> None:
    texts = [sgf_grammar.serialise_game_tree(t) for t in sgf_grammar.parse_sgf_collection(text)]
    for game, one in zip(games, texts, strict=True):
        size, moves, stones = by_sgfmill(one)
        assert game.size == size
        assert list(zip(game.colors.tolist(), game.points.tolist(), strict=True)) == moves
        assert sorted(game.setup_points.tolist()) == stones
        root = sgf.Sgf_game.from_bytes(one).get_root()
        assert game.result == (root.get("RE") if root.has_property("RE") else "")
        assert abs(game.komi - (root.get("KM") if root.has_property("KM") else 0)) < 1e-6


def test_gnugo_games_are_read_as_sgfmill_reads_them() -> None:
    games = read_games(GNUGO)
    assert len(games) == 48
    assert games.handicap.any()
    check_against_sgfmill(games, GNUGO.read_bytes())


def test_server_games_are_read_as_sgfmill_reads_them(shared_data: Path) -> None:
    file = shared_data / "kgs-valid.sgf.xz"
    text = b"\n".join(lzma.decompress(file.read_bytes()).splitlines()[:200])
    games = read_games(file)
    assert len(games) == 1000
    check_against_sgfmill(games.first(200), text)


def test_moves_between_remarks_are_read_as_without_them() -> None:
    """The fast way and sgfmill's way find the same moves: an unknown property needs sgfmill."""
    rng = random.Random(1)
    remarks = [b"BL[599.5]", b"OB[3]", b"C[a (b); \\] ;W[aa\\] c]", b"\n", b" ", b"N[x]", b";", b""]
    for text in GNUGO.read_bytes().splitlines()[:12]:
        expected = parse_game(text)
        remarked = b"".join(
            node + b"".join(rng.choices(remarks, k=2)) if i > 1 else node
            for i, node in enumerate(text[:-1].replace(b";", b"\0;").split(b"\0"))
        )
        for changed in (remarked + b")", remarked + b"XX[y])", remarked):
            parsed = parse_game(changed)
            assert np.array_equal(parsed.moves, expected.moves)
            assert np.array_equal(parsed.setup, expected.setup)


def random_game(rng: random.Random, size: int) -> tuple[list[tuple[int, int]], str | None]:
    """Moves up to the first illegal one, and what the twin says about that."""
    twin = NaiveGame(size, "simple", suicide=True)
    places = [(row, column) for row in range(size) for column in range(size)]
    moves: list[tuple[int, int]] = []
    for number in range(1, 60):
        color = rng.choice((BLACK, WHITE, 3 - twin.to_move, twin.to_move, twin.to_move))
        empty = [place for place in places if twin.grid[place] == 0]
        at = rng.choice(places if rng.random() < 0.02 else [*empty, None])
        moves.append((color, PASS if at is None else point(*at)))
        why = twin.why_illegal(color, at)
        if why is not None:
            return moves, f"move {number} at {vertex_text(moves[-1][1])} is illegal: {why}"
        twin.play(color, at)
    return moves, None


def test_games_are_legal_where_the_twin_says_so() -> None:
    rng = random.Random(3)
    for size in (3, 4, 5):
        played = [random_game(rng, size) for _ in range(150)]
        found = illegal_games(Games.from_moves(size, [moves for moves, _ in played]))
        assert found == {i: why for i, (_, why) in enumerate(played) if why is not None}
        for reason in ("occupied", "ko"):
            assert any(why.endswith(reason) for why in found.values())
        assert len(found) < 150


def test_no_file_is_left_open_or_changed(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_bytes(GAME)
    os.chmod(file, 0o444)
    read_games(file)
    assert file.read_bytes() == GAME
    assert list(tmp_path.iterdir()) == [file]
