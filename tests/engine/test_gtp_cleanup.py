"""Clean-up through GTP: from finished positions, all dead stones of the opponent are captured.

The area of the side that cleans up never falls, neither as the stones stand nor without the dead
ones, whether the opponent passes or plays on.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.commands.bench_endings import endings
from engine.endgame import judge, owner_map, sign
from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, opponent, point
from engine.passing import neutral_points, score_if_passed, settled
from engine.playout.light import light_candidates
from engine.position import Position
from engine.rules import RULES
from engine.scoring import area_score
from engine.vertex import color_text, parse_vertex, vertex_text
from gnugo import GnuGo
from gtp_client import REAL_ENGINE, Client
from knowledge.filters import Filters
from programs import HOME
from tests.diagrams import Diagram, picture

GNUGO_GAMES = HOME / "tests" / "data" / "gnugo.sgf"


class Finished(NamedTuple):
    """A finished game, who cleans up, and which stones of the enemy are dead."""

    game: Game
    color: int
    dead: list[int]


def real(*options):
    return Client("--threads", "1", "--seed", "5", *options, engine=REAL_ENGINE)


def finished(position: Position, color: int, dead: list[int], komi: float = 7.5) -> Finished:
    game = Game(position.size, komi, RULES["chinese"])
    game.set_up(position.stones(BLACK), position.stones(WHITE), (), opponent(color))
    return Finished(game, color, dead)


def invaded_positions(count: int, sizes=(5, 6, 7, 8, 9)) -> list[Finished]:
    """Two walls side by side, and one to three dead stones behind one."""
    rng = random.Random(3)
    found = {}
    while len(found) < count:
        size, color = rng.choice(sizes), rng.choice((BLACK, WHITE))
        wall = size // 2 - 1
        behind = [point(row, column) for row in range(size) for column in range(wall)]
        dead = rng.sample(behind, rng.randint(1, min(3, wall)))
        stones = {
            color: [point(row, wall) for row in range(size)],
            opponent(color): [*(point(row, wall + 1) for row in range(size)), *dead],
        }
        position = Position.from_stones(size, stones[BLACK], stones[WHITE])
        found[position.hash] = finished(position, color, dead)
    return list(found.values())


def played_positions(path: Path, count: int, size: int = 9) -> list[Finished]:
    """Ends of games about whose dead stones the players, our playouts and GNU Go agree."""
    found: list[Finished] = []
    with GnuGo("--chinese-rules") as second:
        for ending in endings(path, Filters()):
            position = ending.position
            if position.size != size:
                continue
            owners = owner_map(position, "mixed", 400)
            status = judge(position, owners)
            if (
                abs(score_if_passed(ending, status, agreed=True) - ending.score) > 0.01
                or not settled(position, status, owners, dame=False)
                or set(map(vertex_text, status.dead)) != dead_by(second, position)
            ):
                continue
            for color in (BLACK, WHITE):
                dead = [p for p in status.dead if position.color_at(p) == opponent(color)]
                if dead:
                    found.append(finished(position, color, dead, ending.komi))
            if len(found) >= count:
                return found[:count]
    raise AssertionError(f"only {len(found)} positions in {path.name}")


def dead_by(second: GnuGo, position: Position) -> set[str]:
    """The stones that GNU Go thinks are dead."""
    for line in (f"boardsize {position.size}", "clear_board", *stones_of(position, "play ")):
        second.ask(line)
    return set(second.ask("final_status_list dead").split())


def stones_of(position: Position, before: str = "") -> list[str]:
    """Each stone as a colour and a vertex."""
    return [
        f"{before}{color_text(color)} {vertex_text(p)}"
        for color in (BLACK, WHITE)
        for p in position.stones(color)
    ]


def counted(position: Position, color: int) -> tuple[int, int]:
    """A colour's lead in area without the dead stones, as playouts see them, and the points that
    are nobody's."""
    status = judge(position, owner_map(position, "mixed", 400))
    lead = sign(color) * area_score(position, status.dead)
    return lead, len(neutral_points(position, status))


def clean_up(client: Client, given: Finished, resistance: float = 0.0) -> str:
    """Let the engine clean up: what went wrong, or nothing. The opponent passes, or plays a random
    move with a chance of `resistance`."""
    game, color, dead = given
    rng = random.Random(7)
    stones = " ".join(stones_of(game.position))
    for line in (f"boardsize {game.size}", f"komi {game.komi}", f"gogui-setup {stones}"):
        client.ask(line)
    before, dame = counted(game.position, color)
    standing = sign(color) * area_score(game.position)
    for _ in range(2 * game.size * game.size):
        reply = PASS
        replies = light_candidates(game.position, opponent(color))
        if replies and rng.random() < resistance:
            reply = rng.choice(replies)
        game.play(opponent(color), reply)
        client.ask(f"play {color_text(opponent(color))} {vertex_text(reply)}")
        move = client.ask(f"kgs-genmove_cleanup {color_text(color)}")
        if move in ("pass", "resign"):
            break
        game.play(color, parse_vertex(move, game.size))
        now = sign(color) * area_score(game.position)
        if now < standing and not resistance:
            return f"{move} lost points\n{picture(game.position)}"
        standing = now
    left = [vertex_text(p) for p in dead if game.position.color_at(p) == opponent(color)]
    after, _ = counted(game.position, color)
    # The opponent who plays on may take the neutral points.
    least = before - dame if resistance else before
    if move == "pass" and not left and after >= least:
        return ""
    return f"{move}, {left} left, lead {before} became {after}\n{picture(game.position)}"


def clean_up_all(positions: list[Finished], *options: str, resistance: float = 0.0) -> None:
    with real(*options) as client:
        outcomes = [clean_up(client, position, resistance) for position in positions]
    wrong = [outcome for outcome in outcomes if outcome]
    stones = sum(len(position.dead) for position in positions)
    print(f"{len(positions) - len(wrong)} of {len(positions)} cleaned up, {stones} dead stones")
    assert not wrong, "\n".join(wrong)


# --- What went wrong once -------------------------------------------------------------------


def test_a_won_game_is_cleaned_up_too():
    """White has won as the stones stand, and passed."""
    diagram = Diagram(
        """
        . . @ X . .
        # @ @ X . .
        @ . @ X . .
        . @ @ X . .
        . . @ X . .
        . . @ X . .
        """
    )
    clean_up_all([finished(diagram.position, WHITE, diagram.all("#"))], "--sims", "30")


def test_dead_stones_of_the_last_few_are_seen():
    """Black has so much that playouts ended at once, with the white stone on the board."""
    diagram = Diagram(
        """
        . . X . X .
        @ X X . X .
        X . X . X .
        . . X . X .
        . . X . X .
        . . X . X .
        """
    )
    clean_up_all([finished(diagram.position, BLACK, diagram.all("@"))], "--sims", "30")


def test_what_capturing_opens_is_no_harm():
    """The capture leaves White room in the place of an eye that nobody could take from it."""
    diagram = Diagram(
        """
        . X . X X X O O O
        . . O X X O . O .
        X X X X O O O . O
        X . X X O O . O O
        . X . . X O O O O
        X X . X X O O O O
        X . X X O O # # O
        X X X X O . O # #
        X O O O O O . O .
        """
    )
    clean_up_all([finished(diagram.position, WHITE, diagram.all("#"))], "--sims", "30")


def test_stones_that_could_still_live_are_killed_in_a_lost_game():
    """White has lost by area in any case, so that a search for the win does not care for them."""
    diagram = Diagram(
        """
        . . . O X . . . .
        . . . O X . . . .
        # . . O X . . . .
        . . . O X . . . .
        . # . O X . . . .
        . . . O X . . . .
        . # . O X . . . .
        . . . O X . . . .
        . . . O X . . . .
        """
    )
    given = finished(diagram.position, WHITE, diagram.all("#"))
    with real("--sims", "100") as client:
        clean_up(client, given)
    assert not [p for p in given.dead if given.game.position.color_at(p) == BLACK]


# --- Many positions -------------------------------------------------------------------------


@pytest.mark.parametrize("resistance", [0.0, 0.5])
def test_some_positions(resistance):
    positions = invaded_positions(2, sizes=(5, 6, 7)) + played_positions(GNUGO_GAMES, 2)
    clean_up_all(positions, "--sims", "60", resistance=resistance)


def test_a_position_on_the_middle_board():
    clean_up_all(played_positions(GNUGO_GAMES, 1, size=13), "--sims", "60")


@pytest.mark.slow
@pytest.mark.parametrize("sims", ["10", "100"])
def test_fifty_invaded_positions(sims):
    clean_up_all(invaded_positions(50), "--sims", sims)


@pytest.mark.slow
@pytest.mark.parametrize("resistance", [0.0, 0.5])
def test_fifty_ends_of_games(shared_data, resistance):
    positions = played_positions(shared_data / "dan9-test.sgf.xz", 50)
    clean_up_all(positions, "--sims", "100", resistance=resistance)


@pytest.mark.slow
def test_ends_of_games_by_the_clock(shared_data):
    """What a move may take when nobody says otherwise is more than enough; a blink is, too."""
    positions = played_positions(shared_data / "dan9-test.sgf.xz", 10)
    clean_up_all(positions, "--seconds", "0.2")


@pytest.mark.slow
def test_ends_of_games_on_the_large_board(shared_data):
    clean_up_all(played_positions(shared_data / "kgs-test.sgf.xz", 6, size=19), "--sims", "100")
