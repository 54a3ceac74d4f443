"""Real games replayed on our board and on sgfmill's, which knows nothing of ours.

Every move must be legal and give the same ko point; the stones are compared after every capture,
every few moves, and at the end. `data/gnugo.sgf` is always there; the records in the shared
data folder only on some machines.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from sgfmill import boards, sgf

from engine.geometry import BLACK, PASS, WHITE, opponent, point
from engine.position import Position

COLORS = {"b": BLACK, "w": WHITE}
RHYTHM = 25  # moves between two comparisons without a capture
GNUGO_GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


def check_stones(position: Position, board: boards.Board) -> None:
    """Assert that both boards have the same stones."""
    stones: dict[int, list[int]] = {BLACK: [], WHITE: []}
    for color, (row, column) in board.list_occupied_points():
        stones[COLORS[color]].append(point(row, column))
    assert position.stones(BLACK) == stones[BLACK]
    assert position.stones(WHITE) == stones[WHITE]


def replay(record: bytes) -> tuple[int, int, int]:
    """Replay a game on both boards; returns its number of moves, captures and kos."""
    game = sgf.Sgf_game.from_bytes(record)
    board = boards.Board(game.get_size())
    black, white, _ = game.get_root().get_setup_stones()
    board.apply_setup(black, white, [])
    position = Position.from_stones(
        game.get_size(), [point(*at) for at in black], [point(*at) for at in white]
    )
    captures = kos = 0
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    for n, (color_name, at) in enumerate(moves):
        color = COLORS[color_name]
        p = PASS if at is None else point(*at)
        assert position.is_legal(color, p), f"move {n + 1} of {record.decode()}"
        position.play(color, p)
        ko_at = None if at is None else board.play(*at, color_name)
        ko = PASS if ko_at is None else point(*ko_at)
        assert position.ko(opponent(color)) == ko, f"move {n + 1} of {record.decode()}"
        taken = len(position.removed())
        captures += taken > 0
        kos += ko != PASS
        if taken or n % RHYTHM == 0:
            check_stones(position, board)
    check_stones(position, board)
    stones = position.stones(BLACK), position.stones(WHITE)
    assert position.hash == Position.from_stones(position.size, *stones).hash
    return len(moves), captures, kos


@pytest.mark.parametrize(
    ("name", "games", "moves"),
    [
        ("dan9-test", 1000, 47_444),
        ("kgs-test", 1000, 199_308),
        ("pro19-test", 1000, 213_585),
        ("kgs-2006-02", 551, 115_832),
    ],
)
def test_shared_records(shared_data: Path, name: str, games: int, moves: int) -> None:
    path = shared_data / f"{name}.sgf.xz"
    if not path.is_file():
        pytest.skip(f"{path.name} is not in the shared data folder")
    with lzma.open(path) as lines:
        totals = [replay(line) for line in lines]
    assert len(totals) == games
    assert sum(total[0] for total in totals) == moves
    assert sum(total[2] for total in totals) > 100


def test_gnugo_games() -> None:
    totals = [replay(line) for line in GNUGO_GAMES.read_bytes().splitlines()]
    moves, captures, kos = (sum(total[i] for total in totals) for i in range(3))
    assert (len(totals), moves) == (48, 4674)
    assert captures > 100
    assert kos > 30
