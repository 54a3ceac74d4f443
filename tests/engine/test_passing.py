"""Passing and cleaning up: never while anything is open, never so that something dies."""

from __future__ import annotations

import random
from pathlib import Path

from engine.commands.bench_endings import endings
from engine.endgame import Status, judge, neighbours, owner_map
from engine.game import Game
from engine.geometry import BLACK, EMPTY, PASS, WHITE, opponent
from engine.passing import (
    dead_to_capture,
    hangs_on_dead,
    is_harmless,
    needed_fills,
    neutral_points,
    safe_to_pass,
    score_if_passed,
    settled,
    wins_by_passing,
)
from engine.position import Position
from engine.rules import RULES, Rules
from engine.scoring import area_score
from knowledge.filters import NO_FILTERS, Filters
from tests.diagrams import Diagram, picture
from tests.playout.test_status import DRAWINGS

GNUGO_GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
CHINESE, JAPANESE, TROMP_TAYLOR = RULES["chinese"], RULES["japanese"], RULES["tromp-taylor"]


def looked_at(position: Position) -> tuple[Status, dict[int, float]]:
    owners = owner_map(position, "mixed", 200)
    return judge(position, owners), owners


def game_of(text: str, rules: Rules = CHINESE, komi: float = 0.5) -> tuple[Diagram, Game]:
    diagram = Diagram(text)
    game = diagram.game(rules)
    game.komi = komi
    return diagram, game


SETTLED = """
    . O . O X . X . X
    O O O O X X X X X
    . O . O X . X . X
    O O O X X X X X X
    . O O X X . . . X
    O O O X . . O . X
    . O X X . . . X X
    O O O X X X X X .
    . O O X . X . X X
"""


def test_a_finished_board_is_settled() -> None:
    _, game = game_of(SETTLED)
    status, owners = looked_at(game.position)
    assert settled(game.position, status, owners)
    assert neutral_points(game.position, status) == []
    assert wins_by_passing(game, BLACK, status)
    assert not wins_by_passing(game, WHITE, status)
    assert safe_to_pass(game, BLACK, status, owners)
    assert not safe_to_pass(game, WHITE, status, owners)
    assert score_if_passed(game, status) == game.score(status.dead)
    assert len(status.dead) == 1


UNSETTLED = """
    . . . # O . O . O
    # # # # O O O O .
    O O O O O O O O O
    O . O O . O O . O
    O O O O O O O O O
    X X X X X X X X X
    X . X X . X X . X
    X X X X X X X X X
    . . X . . . X . .
"""


def test_what_the_next_move_decides_is_not_settled() -> None:
    _, game = game_of(UNSETTLED)
    status, owners = looked_at(game.position)
    assert not settled(game.position, status, owners, dame=False)
    for color in (BLACK, WHITE):
        assert not safe_to_pass(game, color, status, owners)


CONNECTING = """
    O O . O O O X . X
    . O # # # a X X X
    O O O O O O X . X
    . O . O X X X X X
    O O O O X . X . X
    O . O O X X X X X
    O O O O X . X . X
    . O . O X X X X X
    O O O O X . X . X
"""


def told(diagram: Diagram, dead: list[int]) -> tuple[Status, dict[int, float]]:
    """A status that somebody is sure of, with a map to match."""
    from engine.scoring import owners

    worth = {BLACK: 1.0, WHITE: -1.0, EMPTY: 0.0}
    after = {p: worth[owner] for p, owner in owners(diagram.position, dead).items()}
    stones = diagram.position.stones(BLACK) + diagram.position.stones(WHITE)
    alive = sorted(set(stones) - set(dead))
    return Status(alive, sorted(dead), [], after, []), after


def test_dead_stones_that_can_connect_are_not_settled() -> None:
    diagram = Diagram(CONNECTING)
    status, owners = told(diagram, diagram.all("#"))
    assert not settled(diagram.position, status, owners, dame=False)
    diagram.position.play(WHITE, diagram["a"])
    status, owners = told(diagram, diagram.all("#"))
    assert settled(diagram.position, status, owners, dame=False)


def test_a_chain_that_can_be_caught_is_not_settled() -> None:
    for text in (SETTLED, DRAWINGS["one single eye"][1]):
        diagram = Diagram(text)
        status, owners = told(diagram, [])
        assert not settled(diagram.position, status, owners, dame=False)


def test_an_undecided_map_keeps_the_game_going() -> None:
    diagram = Diagram(SETTLED)
    status, owners = looked_at(diagram.position)
    point = next(p for p in diagram.position.empty_points() if status.owners[p] == 1)
    assert settled(diagram.position, status, owners)
    assert not settled(diagram.position, status, {**owners, point: -0.2})
    stone = status.alive[0]
    assert not settled(diagram.position, status._replace(doubtful=[stone]), owners)


DAME = """
    . O . . X . X . X
    O O O . X X X X X
    . O O . X . X . X
    O O O O X X X X X
    . O . O X . X . X
    O O O O X X X X X
    O . O O X . X . X
    O O O O X X X X X
    O . O O X . X . X
"""


def test_neutral_points_count_only_by_area() -> None:
    _, game = game_of(DAME)
    status, owners = looked_at(game.position)
    assert len(neutral_points(game.position, status)) == 4
    assert not settled(game.position, status, owners)
    assert settled(game.position, status, owners, dame=False)
    game.komi = 0.0
    without_komi = score_if_passed(game, status)
    game.komi = without_komi - 5
    assert safe_to_pass(game, BLACK, status, owners)
    game.komi = without_komi + 5
    assert safe_to_pass(game, WHITE, status, owners)
    # Won by less than the points that are still open: play them.
    game.komi = without_komi - 2
    assert wins_by_passing(game, BLACK, status)
    assert not safe_to_pass(game, BLACK, status, owners)
    game.rules = JAPANESE
    game.komi = 0.0
    game.komi = score_if_passed(game, status) - 0.5
    assert safe_to_pass(game, BLACK, status, owners)


def test_territory_that_must_be_filled_is_none() -> None:
    """As soon as Black plays at b, White has to connect at a."""
    diagram = Diagram(
        """
        . O . O X . X . X
        O O O O X X X X X
        O . O O X . X . X
        O O O O X X X X X
        . O O O X . X . X
        O O O O X X X X X
        O O X X X . X . X
        O a O O b X X X X
        O O X X X . X . X
        """
    )
    status, _ = told(diagram, [])
    assert neutral_points(diagram.position, status) == [diagram["b"]]
    assert needed_fills(diagram.position, status) == {diagram["a"]: WHITE}
    game = diagram.game(JAPANESE)
    assert score_if_passed(game, status) == game.score() + 1
    game.rules = CHINESE
    assert score_if_passed(game, status) == game.score()


def test_tromp_taylor_counts_dead_stones() -> None:
    _, game = game_of(SETTLED, TROMP_TAYLOR)
    status, owners = looked_at(game.position)
    assert score_if_passed(game, status) == game.score()
    assert score_if_passed(game, status, agreed=True) == game.score(status.dead) > game.score()
    game.komi += game.score() + 1  # won only without the dead stones
    assert not safe_to_pass(game, BLACK, status, owners)
    assert safe_to_pass(game, BLACK, status, owners, agreed=True)
    # Once they are captured, passing is safe for everybody to see.
    cleaned, _ = clean_up(game, BLACK, status)
    assert not cleaned.dead
    assert safe_to_pass(game, BLACK, *looked_at(game.position))


def test_a_seki_is_left_alone() -> None:
    for name, (kind, text) in DRAWINGS.items():
        if kind == "seki":
            diagram, game = game_of(text)
            status, owners = looked_at(game.position)
            assert settled(game.position, status, owners), name
            for color in (BLACK, WHITE):
                assert dead_to_capture(game, color, status) is None
                for p in diagram.position.chain(diagram.all("#")[0])[1]:
                    assert not is_harmless(game, color, p, status)


# --- Cleaning up --------------------------------------------------------------------------


def clean_up(game: Game, color: int, status: Status) -> tuple[Status, int]:
    """Capture all that can be captured while the enemy passes; the status and the moves."""
    moves = 0
    while (capture := dead_to_capture(game, color, status)) is not None:
        assert game.position.color_at(capture.chains[0][0]) == opponent(color)
        game.play(color, capture.point)
        game.play(opponent(color), PASS)
        dead = [p for p in status.dead if game.position.color_at(p) != EMPTY]
        status = status._replace(dead=dead)
        moves += 1
        assert moves < game.size * game.size
    return status, moves


def lead(position: Position, color: int, dead: list[int]) -> int:
    score = area_score(position, dead)
    return score if color == BLACK else -score


def check_clean_up(position: Position) -> tuple[int, int]:
    """Clean a finished position up for each side in turn: how often there was something to
    capture, and how often all of it was; the area must not fall, the living must live on."""
    status, owners = looked_at(position)
    if not settled(position, status, owners, dame=False):
        return 0, 0
    tried = done = 0
    for color in (BLACK, WHITE):
        enemy = opponent(color)
        if any(position.color_at(p) == enemy for p in status.dead):
            game = Game(position.size)
            game.set_up(position.stones(BLACK), position.stones(WHITE), (), color)
            after, _ = clean_up(game, color, status)
            tried += 1
            done += not any(position.color_at(p) == enemy for p in after.dead)
            before = lead(position, color, status.dead)
            assert lead(game.position, color, after.dead) >= before, picture(position)
            judged_again, _ = looked_at(game.position)
            assert lead(game.position, color, judged_again.dead) >= before, picture(game.position)
    return tried, done


def test_dead_stones_come_off_and_nothing_is_lost() -> None:
    positions = [ending.position for ending in endings(GNUGO_GAMES, NO_FILTERS)]
    positions += [Diagram(text).position for kind, text in DRAWINGS.values() if kind == "dead"]
    counts = [check_clean_up(position) for position in positions]
    tried, done = map(sum, zip(*counts, strict=True))
    assert tried >= 25
    assert done >= 0.95 * tried


def test_dead_stones_in_games_of_people_come_off(shared_data: Path) -> None:
    games = endings(shared_data / "dan9-valid.sgf.xz", Filters(first=350))
    counts = [check_clean_up(game.position) for game in games]
    tried, done = map(sum, zip(*counts, strict=True))
    assert tried >= 50
    assert done >= 0.95 * tried


def test_own_eyes_are_never_filled() -> None:
    rng = random.Random(2)
    for ending in endings(GNUGO_GAMES, Filters(first=20)):
        position = ending.position
        status, _ = looked_at(position)
        game = Game(position.size)
        game.set_up(position.stones(BLACK), position.stones(WHITE), (), BLACK)
        for color in (BLACK, WHITE):
            for p in rng.sample(position.empty_points(), min(12, len(position.empty_points()))):
                if position.is_eye(color, p):
                    assert not is_harmless(game, color, p, status)
                if game.why_illegal(color, p) is not None:
                    assert not is_harmless(game, color, p, status)


def test_a_living_group_is_not_made_smaller() -> None:
    """Four points in a row are two eyes, three are not: only the middle may be played."""
    for name in ("four in a row", "bent four on the side"):
        diagram, game = game_of(DRAWINGS[name][1])
        status, _ = told(diagram, [])
        inside = [
            p for p in diagram.position.chain(diagram.all("#")[0])[1] if status.owners[p] == 1
        ]
        ends = [p for p in inside if len(set(neighbours(p)) & set(inside)) == 1]
        assert len(inside) == 4
        assert [p for p in inside if not is_harmless(game, BLACK, p, status)] == ends, name


def test_eyes_that_look_false_are_not_filled() -> None:
    """The ring lives by two corners, though neither of them looks like an eye."""
    diagram, game = game_of(
        """
        a X X X X
        X O O O X
        X O c O X
        X O O O X
        X X X X .
        """
    )
    status, _ = told(diagram, diagram.stones(WHITE))
    assert not is_harmless(game, BLACK, diagram["a"], status)
    capture = dead_to_capture(game, BLACK, status)
    assert capture is not None
    assert capture.point == diagram["c"]


def test_no_stone_is_thrown_into_a_living_group() -> None:
    diagram, game = game_of(DRAWINGS["an eye of two and one of one"][1])
    status, _ = told(diagram, [])
    for p in diagram.position.chain(diagram.all("#")[0])[1]:
        assert not is_harmless(game, WHITE, p, status)


def test_nothing_dead_means_nothing_to_capture() -> None:
    _, game = game_of(DAME)
    status, _ = looked_at(game.position)
    assert not status.dead
    assert dead_to_capture(game, BLACK, status) is None


# --- Races that are won but not played out --------------------------------------------------

# Black's two stones in the corner share their liberties with White's chain, which is dead.
RACE = """
    . X . O X
    O X O O X
    O O O X X
    X X X X .
    . X . X .
"""
# With an eye of their own they need nobody's death.
NO_RACE = """
    . X . O X
    X X O O X
    O O O X X
    X X X X .
    . X . X .
"""


def with_dead_white(text: str) -> tuple[Position, Status]:
    position = Diagram(text).game(CHINESE).position
    owners = dict.fromkeys(position.points(), 1.0)
    return position, Status(position.stones(BLACK), position.stones(WHITE), [], owners, [])


def test_stones_that_live_by_a_race_hang_on_the_dead() -> None:
    for text, hangs in ((RACE, True), (NO_RACE, False)):
        position, status = with_dead_white(text)
        assert hangs_on_dead(position, BLACK, status) == hangs


def test_nothing_hangs_where_nothing_is_dead() -> None:
    position, status = with_dead_white(RACE)
    alive = status._replace(alive=sorted([*status.alive, *status.dead]), dead=[])
    assert not hangs_on_dead(position, BLACK, alive)
    assert not hangs_on_dead(position, WHITE, status)
