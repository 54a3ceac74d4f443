"""Games out to SGF and back again, records as they are found, and records that are none."""

from __future__ import annotations

import json
import lzma
import random
from contextlib import suppress
from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sgfmill import boards, sgf, sgf_moves

from engine.game import Game, Move, SetUp
from engine.geometry import BLACK, EMPTY, PASS, WHITE, opponent, row_and_column
from engine.handicap import fixed_points
from engine.rules import RULES
from engine.sgf import dump_game, load_game, save_game
from engine.vertex import parse_vertex, vertex_text
from tests.diagrams import check_board


def at(vertex: str, size: int = 9) -> int:
    return parse_vertex(vertex, size)


def moves_of(game: Game) -> list[str]:
    return ["BW"[move.color - 1] + vertex_text(move.point) for move in game.moves]


def everything_about(game: Game) -> tuple[object, ...]:
    """What must come back from a file."""
    position = game.position
    stones = [position.color_at(p) for p in position.points()]
    prisoners = position.prisoners(BLACK), position.prisoners(WHITE)
    ko = position.ko(BLACK), position.ko(WHITE)
    facts = (game.size, game.komi, game.rules, game.handicap, game.to_move, game.events)
    return (*facts, stones, prisoners, ko, position.hash, game.legal_points(game.to_move))


# --- Out and in again ---------------------------------------------------------------------


@st.composite
def games(draw) -> Game:
    """A game with anything in it that a file must hold."""
    size = draw(st.one_of(st.integers(2, 9), st.sampled_from([13, 19, 20, 25])))
    komi = draw(st.integers(-40, 40)) / 4
    game = Game(size, komi, RULES[draw(st.sampled_from(sorted(RULES)))])
    everywhere = st.sampled_from(game.position.points())
    if draw(st.booleans()):
        points = draw(st.lists(everywhere, min_size=1, max_size=min(9, size), unique=True))
        game.place_handicap(points)
    for kind in draw(st.lists(st.sampled_from("mmmmmmps"), max_size=40)):
        if kind == "s":
            set_up_something(game, draw(st.lists(everywhere, max_size=5, unique=True)), draw)
            continue
        color = draw(st.sampled_from([game.to_move] * 4 + [opponent(game.to_move)]))
        legal = [PASS] if kind == "p" else game.legal_points(color) or [PASS]
        game.play(color, draw(st.sampled_from(legal)))
    return game


def set_up_something(game: Game, points: list[int], draw) -> None:
    lists: tuple[list[int], list[int], list[int]] = ([], [], [])
    for p in points:
        lists[draw(st.integers(0, 2))].append(p)
    to_move = draw(st.sampled_from([BLACK, WHITE]))
    if points or to_move != game.to_move:
        # Where it would leave a chain without liberties, the game goes on without it.
        with suppress(ValueError):
            game.set_up(*lists, to_move)


@settings(max_examples=150)
@given(games())
def test_a_game_comes_back_from_its_file(game):
    again = load_game(dump_game(game))
    assert everything_about(again) == everything_about(game)
    assert dump_game(again) == dump_game(game)


@settings(max_examples=50)
@given(games(), st.integers(1, 45))
def test_the_position_before_a_move_is_the_one_the_game_had(game, number):
    """Taking the game's events up to the move gives the same as loading up to it."""
    expected = Game(game.size, game.komi, game.rules)
    for event in game.events:
        if isinstance(event, Move):
            number_of_this = len(expected.moves) + 1
            if number_of_this == number:
                break
            expected.play(*event)
        elif event.handicap:
            expected.place_handicap(event.black)
        else:
            expected.set_up(event.black, event.white, event.empty, event.to_move)
    assert everything_about(load_game(dump_game(game), number)) == everything_about(expected)


def test_a_record_has_what_other_programs_look_for():
    game = Game(9, 0.5, RULES["aga"])
    game.place_handicap(fixed_points(9, 2))
    game.play(WHITE, at("G3"))
    game.set_up([at("A1")], [at("B1")], [at("G3")], BLACK)
    game.play(BLACK, PASS)
    data = dump_game(
        game, "Black ] \\ :", "Wit\ud800h", "W+R", {0: "hello]", 1: "a\nb", 2: "bye", 9: "never"}
    )
    record = sgf.Sgf_game.from_bytes(data)
    root, first, second, third = record.main_sequence_iter()
    assert data.startswith(b"(;FF[4]")
    assert {name: root.get(name) for name in root.properties()} == {
        "FF": 4,
        "GM": 1,
        "CA": "UTF-8",
        "SZ": 9,
        "KM": 0.5,
        "RU": "AGA",
        "HA": 2,
        "AB": {(2, 2), (6, 6)},
        "AP": root.get("AP"),
        "PB": "Black ] \\ :",
        "PW": "Wit?h",
        "RE": "W+R",
        "C": "hello]",
    }
    assert root.get("AP")[0] == "Miai"
    assert first.get_move() == ("w", (2, 6))
    assert first.get("C") == "a\nb"
    assert second.get_setup_stones() == ({(0, 0)}, {(0, 1)}, {(2, 6)})
    assert second.get("PL") == "b"
    assert third.get_move() == ("b", None)
    assert third.get("C") == "bye"


@pytest.mark.parametrize("name", list(RULES))
def test_all_rules_come_back(name):
    assert load_game(dump_game(Game(9, 7.5, RULES[name]))).rules is RULES[name]


def test_saving_replaces_a_file_and_leaves_nothing_else(tmp_path):
    game = Game(9)
    game.play(BLACK, at("E5"))
    path = tmp_path / "game.sgf"
    path.write_bytes(b"old")
    save_game(game, path, black_name="me")
    assert path.read_bytes() == dump_game(game, black_name="me")
    assert [file.name for file in tmp_path.iterdir()] == ["game.sgf"]


def test_saving_where_it_cannot_leaves_nothing(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(OSError):  # noqa: PT011
        save_game(Game(9), folder)
    with pytest.raises(OSError):  # noqa: PT011
        save_game(Game(9), tmp_path / "nowhere" / "game.sgf")
    assert list(tmp_path.iterdir()) == [folder]
    assert list(folder.iterdir()) == []


# --- Records as they are found ------------------------------------------------------------


def test_a_plain_record():
    game = load_game(b"(;GM[1]FF[4]SZ[9]KM[5.5]RU[Japanese];B[ee];W[cc];B[];W[tt])")
    assert (game.size, game.komi, game.rules) == (9, 5.5, RULES["japanese"])
    assert moves_of(game) == ["BE5", "WC7", "Bpass", "Wpass"]
    assert game.is_over()


def test_an_old_record_with_long_property_names_variations_and_junk_around_it():
    game = load_game(
        b"From: me\n\n(;GaMe[1]FF[3]SiZe[9]\n(;Black[ee]C[a \\] b](;White[cc])(;W[aa]))(;B[aa]))x"
    )
    assert moves_of(game) == ["BE5", "WC7"]


def test_a_record_that_says_nothing_is_19x19_without_komi():
    game = load_game(b"(;)")
    assert (game.size, game.komi, game.rules, game.events) == (19, 0.0, RULES["chinese"], [])
    assert load_game(b"(;)", rules=RULES["aga"]).rules is RULES["aga"]


def test_tt_is_a_pass_up_to_19x19_and_a_point_beyond():
    assert moves_of(load_game(b"(;SZ[19];B[tt])")) == ["Bpass"]
    assert moves_of(load_game(b"(;SZ[20];B[tt];W[])")) == ["BU1", "Wpass"]


def test_a_move_in_the_root_counts():
    assert moves_of(load_game(b"(;SZ[9]B[ee];W[cc])")) == ["BE5", "WC7"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chinese", "chinese"),
        ("JAPANESE", "japanese"),
        ("Japanese Rules", "japanese"),
        ("NZ", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("tromp_taylor", "tromp-taylor"),
        ("GOE", "korean"),
        ("", "korean"),
        ("\xff\\]", "korean"),
    ],
)
def test_rules_are_read_where_known(text, name):
    data = f"(;RU[{text}])".encode("latin-1")
    assert load_game(data, rules=RULES["korean"]).rules is RULES[name]


@pytest.mark.parametrize(
    ("text", "komi"), [("6.5", 6.5), ("6,5", 6.5), ("-3", -3), ("", 0), (" 7 ", 7), ("0.50", 0.5)]
)
def test_komi_is_read(text, komi):
    assert load_game(f"(;KM[{text}])".encode()).komi == komi


@pytest.mark.parametrize("charset", ["UTF-8", "gb2312", "Shift_JIS", "hex", "nonsense", "", "\xff"])
def test_the_charset_does_not_matter_to_the_game(charset):
    data = f"(;SZ[9]CA[{charset}]RU[AGA]C[\xe9];B[ee])".encode("latin-1")
    game = load_game(data)
    assert (moves_of(game), game.rules) == (["BE5"], RULES["aga"])


def test_a_size_in_both_directions_is_a_size():
    assert load_game(b"(;SZ[13:13])").size == 13


def test_handicap_stones_in_the_root():
    game = load_game(b"(;SZ[9]HA[3]AB[cg][gc][cc];W[ee];B[eg])")
    assert game.handicap == 3
    assert game.events[0] == SetUp((at("C3"), at("G7"), at("C7")), (), (), WHITE, handicap=True)
    assert moves_of(game) == ["WE5", "BE3"]
    assert load_game(b"(;SZ[9]HA[3]AB[cg][gc][cc];W[ee])", 1).to_move == WHITE


def test_handicap_stones_in_the_node_after_the_root():
    game = load_game(b"(;SZ[9]HA[2];AB[cg][gc];W[ee])")
    assert game.handicap == 2
    assert moves_of(game) == ["WE5"]


def test_black_may_be_to_move_after_a_handicap():
    game = load_game(b"(;SZ[9]HA[2]AB[cg][gc]PL[B])")
    assert (game.handicap, game.to_move) == (2, BLACK)


def test_handicap_stones_written_as_moves():
    data = b"(;SZ[9]HA[2];B[cg];B[gc];W[ee];B[eg])"
    game = load_game(data)
    assert game.handicap == 2
    assert moves_of(game) == ["WE5", "BE3"]
    # They count as moves 1 and 2; up to then they are moves like others.
    assert [len(load_game(data, n).position.stones(BLACK)) for n in (1, 2, 3, 4)] == [0, 1, 2, 2]
    assert moves_of(load_game(data, 4)) == ["WE5"]
    assert (load_game(data, 2).handicap, load_game(data, 3).handicap) == (0, 2)
    with pytest.raises(ValueError, match="^move 4 at E5 is illegal: occupied$"):
        load_game(b"(;SZ[9]HA[2];B[cg];B[gc];W[ee];B[ee])")


@pytest.mark.parametrize(
    "data",
    [
        b"(;SZ[9]HA[2];W[ee];B[cg])",
        b"(;SZ[9]HA[2];B[cg];W[ee])",
        b"(;SZ[9]HA[2];B[tt];B[cg];W[ee])",
        b"(;SZ[9]HA[0]AB[];B[cg])",
        b"(;SZ[9]HA[];B[cg];B[gc])",
        b"(;SZ[9]HA[-3];B[cg];B[gc])",
        b"(;SZ[9]HA[999999999999];B[cg];B[gc])",
        b"(;SZ[9]HA[2]AB[cg]AW[gc];B[ee])",
        b"(;SZ[9]AB[cg][gc];W[ee])",
    ],
)
def test_what_is_no_handicap(data):
    assert load_game(data).handicap == 0


def test_stones_without_handicap_are_a_setup_and_the_next_move_tells_the_turn():
    game = load_game(b"(;SZ[9]AB[cg][gc];W[ee])")
    assert game.events[0] == SetUp((at("C3"), at("G7")), (), (), WHITE)
    assert load_game(b"(;SZ[9]AB[cg][gc];W[ee])", 1).to_move == WHITE
    assert load_game(b"(;SZ[9]AB[cg][gc])").to_move == BLACK
    assert load_game(b"(;SZ[9]AB[cg][gc]PL[w])").to_move == WHITE


def test_setups_in_the_middle_and_lists_of_points():
    game = load_game(b"(;SZ[5]AB[aa:ba][cc][cc];W[ee];AE[aa:ee]PL[B];AW[ab:ac]AB[dd];B[ed])")
    assert game.to_move == WHITE
    check_board(
        game.position,
        """
        . . . . .
        O . . . .
        O . . . .
        . . . X X
        . . . . .
        """,
    )


def test_a_setup_before_a_move_belongs_to_the_position_before_it():
    data = b"(;SZ[5];B[aa];AW[cc];B[bb])"
    assert load_game(data, 2).position.color_at(at("C3", 5)) == WHITE
    assert load_game(data, 1).position.color_at(at("C3", 5)) == EMPTY
    assert moves_of(load_game(data, 99)) == ["BA5", "BB4"]


def test_a_turn_that_is_known_anyway_is_no_event():
    assert load_game(b"(;SZ[9]PL[B];B[ee];PL[W];W[cc])").events == [
        Move(BLACK, at("E5")),
        Move(WHITE, at("C7")),
    ]
    assert load_game(b"(;SZ[9]PL[W])").to_move == WHITE


def test_a_record_with_a_repeated_position_was_played_under_simple_ko():
    game = Game(2, rules=RULES["japanese"])
    rng = random.Random(1)
    seen = set()
    situation = None
    while situation not in seen:
        seen.add(situation)
        color = game.to_move
        legal = game.legal_points(color)
        game.play(color, rng.choice(legal) if legal else PASS)
        # A pass repeats nothing that is forbidden.
        situation = (game.position.hash, color) if legal else None
        seen.discard(None)
    for name in ("Chinese", "AGA"):
        data = dump_game(game).replace(b"RU[Japanese]", f"RU[{name}]".encode())
        loaded = load_game(data)
        assert loaded.events == game.events
        assert (loaded.rules.name, loaded.rules.ko) == (name.lower(), "simple")
        assert everything_about(load_game(dump_game(loaded))) == everything_about(loaded)


# --- Real records -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pro19-test", "kgs-2006-02", "dan9-test", "pro13"])
def test_real_records_are_read_as_sgfmill_reads_them(shared_data, name):
    with lzma.open(shared_data / f"{name}.sgf.xz") as lines:
        for line in islice(lines, 5):
            record = sgf.Sgf_game.from_bytes(line)
            board, plays = sgf_moves.get_setup_and_moves(record)
            game = load_game(line)
            for color, place in plays:
                if place is not None:
                    board.play(*place, color)
            assert [(["b", "w"][m.color - 1], place_of(m)) for m in game.moves] == plays
            assert stones_of(game) == stones_on(board)
            assert game.komi == record.get_komi()
            assert load_game(dump_game(game)).events == game.events


def test_positions_of_move_tests_are_read(shared_data):
    lines = (shared_data / "tactics.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines[::30]:
        test = json.loads(line)
        game = load_game(test["sgf"].encode())
        assert (game.size, game.komi) == (test["size"], test["komi"])


def place_of(move: Move) -> tuple[int, int] | None:
    return None if move.point == PASS else row_and_column(move.point)


def stones_of(game: Game) -> set[tuple[str, tuple[int, int]]]:
    position = game.position
    black = {("b", row_and_column(p)) for p in position.stones(BLACK)}
    return black | {("w", row_and_column(p)) for p in position.stones(WHITE)}


def stones_on(board: boards.Board) -> set[tuple[str, tuple[int, int]]]:
    return set(board.list_occupied_points())


# --- Records that are none ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not an SGF file: no SGF data found"),
        (b"hello", "not an SGF file: no SGF data found"),
        (b"(;B[aa]", "not an SGF file: unexpected end of SGF data"),
        (b"(;B[aa", "not an SGF file: unexpected end of SGF data"),
        (b"(;B)", "not an SGF file: property with no values"),
        (b"(;GM[2])", "not a game of Go"),
        (b"(;SZ[1])", "board size '1' is not in 2 to 25"),
        (b"(;SZ[26])", "board size '26' is not in 2 to 25"),
        (b"(;SZ[-9])", "board size '-9' is not in 2 to 25"),
        (b"(;SZ[123456789012345678901234])", "board size '12345678901234567890' is not in 2 to 25"),
        (b"(;SZ[%s])" % (b"9" * 5000), "not a board size: '99999999999999999999'"),
        (b"(;SZ[])", "not a board size: ''"),
        (b"(;SZ[nine\n])", "not a board size: 'nine\\n'"),
        (b"(;SZ[19:13])", "not a square board: '19:13'"),
        (b"(;KM[nan])", "not a komi: 'nan'"),
        (b"(;KM[1e999])", "not a komi: '1e999'"),
        (b"(;KM[six])", "not a komi: 'six'"),
        (b"(;SZ[9];B[ee];W[ee])", "move 2 at E5 is illegal: occupied"),
        (b"(;SZ[9]AB[ab][ba];W[aa])", "move 1 at A9 is illegal: suicide"),
        (b"(;SZ[9];B[jj])", "a move off the board: 'jj'"),
        (b"(;SZ[9];B[\xff\x00\n])", "a move off the board: '\\xff\\x00'"),
        (b"(;SZ[9];B[eee])", "a move off the board: 'eee'"),
        (b"(;SZ[9]AB[zz])", "AB holds no point of the board: 'zz'"),
        (b"(;SZ[9]AW[ee:aa])", "AW holds no point of the board: 'ee:aa'"),
        (b"(;SZ[9]AE[tt])", "AE holds no point of the board: 'tt'"),
        (b"(;SZ[9]AB[aa]AW[aa])", "the setup after move 0 is impossible: a point is set up twice"),
        (
            b"(;SZ[9];B[aa];AW[ab][ba])",
            "the setup after move 1 is impossible: a chain has no liberty",
        ),
        (b"(;SZ[2]HA[4]AB[aa:bb])", "the handicap is impossible: a chain has no liberty"),
        (
            b"(;SZ[2]HA[4];B[aa];B[ab];B[ba];B[bb])",
            "the handicap is impossible: a chain has no liberty",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(data, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        load_game(data)
    assert str(error.value) == message


@pytest.mark.parametrize("number", [0, -1])
def test_move_numbers_start_at_1(number):
    with pytest.raises(ValueError, match="^move numbers start at 1$"):
        load_game(b"(;SZ[9];B[ee])", number)


def test_a_ko_taken_back_at_once_is_illegal_under_all_rules():
    ko = b"(;SZ[5]RU[%s]AB[ba][ab][bc]AW[bb][ca][db][cc];B[cb];W[bb])"
    for name in (b"Chinese", b"Japanese"):
        with pytest.raises(ValueError, match="^move 2 at B4 is illegal: ko$"):
            load_game(ko % name)


def test_deep_nesting_and_long_records_do_no_harm():
    deep = b"(;SZ[9]" + b"(;B[]" * 50_000 + b")" * 50_001
    assert len(load_game(deep, 11).moves) == 10
    with pytest.raises(ValueError, match="^not an SGF file"):
        load_game(deep[:-1])
    with pytest.raises(ValueError, match="^not an SGF file"):
        load_game(b"(;" * 50_000)
    with pytest.raises(ValueError, match="^not an SGF file"):
        load_game(b"(;C[" + b"\\" * 1_000_001 + b"])")


def load_or_refuse(data: bytes) -> None:
    """Load it; whatever it is, a ValueError of one line is all that may come of it."""
    message = ""
    try:
        load_game(data)
    except ValueError as error:
        message = str(error)
    assert "\n" not in message
    assert len(message) < 200


GOOD = (
    b"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[5.5]RU[Chinese]HA[2]AB[cg][gc]PL[W]"
    b"(;W[ee];B[eg]C[x\\]y];AE[ee]AW[aa:bb]PL[B];B[];W[tt])(;W[aa]))"
)


def test_a_record_cut_anywhere_is_read_or_refused():
    for end in range(len(GOOD)):
        load_or_refuse(GOOD[:end])
        load_or_refuse(GOOD[end:])


def test_a_record_with_any_byte_changed_is_read_or_refused():
    rng = random.Random(1)
    for _ in range(3000):
        data = bytearray(GOOD)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.choice(b"\x00\xff[]();:\\abtABW019 \n-.")
        load_or_refuse(bytes(data))


@given(st.binary())
def test_random_bytes_are_refused(data):
    load_or_refuse(data)
    load_or_refuse(b"(;" + data + b")")


NAMES = ["AB", "AW", "AE", "PL", "B", "W", "SZ", "KM", "HA", "RU", "CA", "GM", "FF", "C", "KO"]
VALUES = ["", "aa", "tt", "ab:cc", "zz", "B", "w", "9", "-1", "26", "2:2", "1e400", "NZ", "\xff"]


@settings(max_examples=300)
@example([[("SZ", "2")], [("B", "aa")], [("W", "bb")], [("B", "ba")]])
@given(st.lists(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)), max_size=6)))
def test_nonsense_in_the_form_of_a_record_is_read_or_refused(nodes):
    text = "".join(";" + "".join(f"{name}[{value}]" for name, value in node) for node in nodes)
    load_or_refuse(f"(;{text})".encode("latin-1"))
