"""The search as others use it: wins and losses, repetitions, seeds, interruption, bounds."""

from __future__ import annotations

import random
import threading
import time

import pytest

from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE
from engine.priors import RankedKnowledge
from engine.rules import RULES
from engine.search import Limits, Search
from engine.simulation import SIMS
from engine.tree import ILLEGAL, LEGAL, LOST, WON
from tests.diagrams import Diagram
from tests.search.fixed import FixedPredictor, settings_of
from tests.search.trees import check_tree, snapshot, visits_in


def think(game: Game, sims: int, color: int | None = None, early_stop=False, **chosen):
    """A search of its own."""
    search = Search(settings_of(**chosen))
    return search.think(game, color or game.to_move, Limits(sims=sims, early_stop=early_stop))


def game_of(text: str, komi: float, to_move: int = BLACK, rules: str = "chinese"):
    diagram = Diagram(text)
    game = diagram.game(RULES[rules], to_move)
    game.komi = komi
    return diagram, game


# --- Wins and losses ----------------------------------------------------------------------

LAST_GROUP = """
    X X O O O
    X X O O O
    X X O O O
    X a O O O
    X X O O O
"""
THREE_IN_A_ROW = """
    . a . O X
    O O O O X
    X X X X X
    X . X . X
    X X X X X
"""
SELECTIONS = ["puct", "prior", "additive", "widening", "none"]


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_whoever_plays_first_takes_the_last_group(selection, color):
    diagram, game = game_of(LAST_GROUP, 0.5)
    thought = think(game, 500, color, selection=selection)
    assert thought.best.point == diagram["a"]
    assert thought.value > 0.5


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_middle_of_three_makes_or_takes_two_eyes(selection, color):
    """White has 8 points if the group lives: Black needs them."""
    diagram, game = game_of(THREE_IN_A_ROW, 16.5)
    thought = think(game, 2000, color, selection=selection)
    assert thought.best.point == diagram["a"]
    assert thought.value > 0.7


FINISHED = """
    . X O . O
    X X O O .
    . X X O O
    X . X O .
    . X X O O
"""


def test_a_pass_that_wins_is_proven():
    """Black leads by 13 to 12."""
    _, game = game_of(FINISHED, 0.5)
    game.play(BLACK, PASS)
    for komi, proven in ((0.5, -1), (1.5, 1)):
        game.komi = komi
        thought = think(game, 200, WHITE, early_stop=True)
        passing = next(c for c in thought.candidates if c.point == PASS)
        assert passing.proven == proven
        if proven == 1:
            assert thought.best.point == PASS
            assert thought.value > 0.9


def test_a_draw_proves_nothing():
    _, game = game_of(FINISHED, 1.0)
    game.play(BLACK, PASS)
    assert not any(c.proven for c in think(game, 300, WHITE).candidates)


FULL = """
    . X O .
    X X O O
    X X O O
    . X O .
"""


@pytest.mark.parametrize(("komi", "proven"), [(-0.5, 1), (0.5, -1)])
def test_a_whole_tree_is_proven_where_only_passes_are_left(komi, proven):
    """Every point that is left is an eye: Black can only pass, and White too."""
    _, game = game_of(FULL, komi)
    search = Search(settings_of(expand_at=1))
    thought = search.think(game, BLACK, Limits(sims=500))
    assert thought.ended == "decided"
    assert thought.sims < 500
    assert [c.point for c in thought.candidates] == [PASS]
    assert thought.best.proven == proven
    state = search._tree.arena.state[0]
    assert bool(state & (LOST if proven == 1 else WON))


# --- Repetition ---------------------------------------------------------------------------

SEND_TWO = """
    . O X .
    O O X X
    X X O O
    . X O .
"""
TRIPLE_KO = """
    . X O . X O .
    X . X O O . O
    . X O . X O .
    . X O . X O .
    X O . O X X O
    . X O . . X O
    X X O O O X X
"""


def check_legality(search: Search, game: Game, color: int) -> tuple[int, int]:
    """Assert that a line of the tree was walked exactly if the game's rules allow it; returns
    how many nodes were walked to, and how many were refused."""
    arena = search._tree.arena
    visits = visits_in(arena)
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    walked = refused = 0
    for node, line in waiting:
        replay = Game(game.size, game.komi, game.rules)
        replay._restart(game.events)
        for i, p in enumerate(line):
            replay.play(color if i % 2 == 0 else 3 - color, p)
        mover = color if len(line) % 2 == 0 else 3 - color
        first, count = int(arena.first[node]), int(arena.count[node])
        for child in range(first, first + count) if first else ():
            p, state = int(arena.move[child]), arena.state[child]
            if state & ILLEGAL:
                assert replay.why_illegal(mover, p) == "superko"
                refused += 1
            if visits[child]:
                assert state & LEGAL
                assert replay.why_illegal(mover, p) is None
                walked += 1
                waiting.append((child, (*line, p)))
    return walked, refused


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese", "aga", "new-zealand"])
def test_the_tree_walks_where_the_rules_allow(rules):
    rng = random.Random(3)
    refusals = 0
    # With a draw in sight little is proven, and lines get long.
    wide = dict(selection="none", exploration=3.0, rave=False, even_prior=0, expand_at=1)
    for size in (2, 2, 2, 3):
        game = Game(size, 1.0, RULES[rules])
        for _ in range(rng.randrange(9)):
            game.play(game.to_move, rng.choice(game.legal_points(game.to_move) or [PASS]))
        search = Search(settings_of(**wide))
        search.think(game, game.to_move, Limits(sims=600, early_stop=False))
        refusals += check_legality(search, game, game.to_move)[1]
    assert refusals > 10


@pytest.mark.parametrize("text", [SEND_TWO, TRIPLE_KO], ids=["send two", "triple ko"])
@pytest.mark.parametrize("rules", ["chinese", "aga"])
def test_repeating_kos_are_never_offered(text, rules):
    """Play forced ko moves from the diagram, and look after each what the search offers."""
    _, game = game_of(text, 0.5, BLACK, rules)
    rng = random.Random(1)
    search = Search(settings_of(expand_at=1, exploration=0.5))
    for _ in range(12):
        color = game.to_move
        thought = search.think(game, color, Limits(sims=400, early_stop=False))
        check_legality(search, game, color)
        assert thought.candidates
        assert all(game.why_illegal(color, c.point) is None for c in thought.candidates)
        takes = [
            c.point
            for c in thought.candidates
            if c.point and game.position.color_at(c.point) == 4 and _captures(game, c.point)
        ]
        game.play(color, rng.choice(takes) if takes else thought.best.point)


def _captures(game: Game, p: int) -> bool:
    after = game.position.copy()
    after.play(game.to_move, p)
    return bool(after.removed())


def test_a_simple_ko_may_come_back_under_japanese_rules():
    """Only the superko rules refuse lines."""
    _, game = game_of(TRIPLE_KO, 0.5, BLACK, "japanese")
    search = Search(settings_of(expand_at=1))
    search.think(game, BLACK, Limits(sims=2000, early_stop=False))
    assert not (search._tree.arena.state & ILLEGAL).any()


# --- Seeds --------------------------------------------------------------------------------


def trees_of(seed: int) -> list:
    """The trees of three moves by one seeded thread."""
    search, game, trees = Search(settings_of(seed=seed)), Game(9, 7.5), []
    for _ in range(3):
        thought = search.think(game, game.to_move, Limits(sims=1500, early_stop=True))
        trees.append(snapshot(search._tree.arena))
        game.play(game.to_move, thought.best.point)
    return trees


def test_the_same_seed_grows_the_same_tree():
    first = trees_of(7)
    assert trees_of(7) == first
    assert trees_of(8) != first


# --- Ends ---------------------------------------------------------------------------------


def search_threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name.startswith("search")]


@pytest.mark.parametrize("threads", [1, 3])
def test_stop_ends_a_search_at_once(threads):
    search, game = Search(settings_of(threads=threads)), Game(19, 7.5)
    search.think(game, BLACK, Limits(sims=10))
    for wait in (0.02, 0.3):
        stopped = []

        def stop(stopped=stopped):
            stopped.append(time.perf_counter())
            search.stop()

        threading.Timer(wait, stop).start()
        thought = search.think(game, BLACK, Limits(early_stop=False))
        # It takes some milliseconds; a loaded machine may need more.
        assert time.perf_counter() - stopped[0] < 1.0
        assert thought.ended == "interrupted"
        assert not search_threads()
        check_tree(search._tree)


def test_limits_of_time_and_simulations_hold():
    search, game = Search(settings_of(threads=2)), Game(9, 7.5)
    thought = search.think(game, BLACK, Limits(sims=1000, early_stop=False))
    assert (thought.ended, thought.sims) == ("sims", 1000)
    assert not search_threads()
    started = time.perf_counter()
    thought = search.think(game, BLACK, Limits(seconds=0.3, early_stop=False))
    assert thought.ended == "time"
    assert 0.3 <= time.perf_counter() - started < 2.0
    assert not search_threads()


def test_a_search_that_is_decided_at_once_still_looks_who_owns_what():
    search, game = Search(settings_of()), Game(5, 0.5)
    before = search.think(game, BLACK, Limits(sims=20_000, early_stop=False))
    assert before.best.visits > 12_000
    thought = search.think(game, BLACK, Limits(sims=5000))
    assert thought.ended == "decided"
    assert 192 <= sum(thought.histogram.values()) < 5000
    difference = [abs(thought.owners[p] - before.owners[p]) for p in before.owners]
    assert sum(difference) / len(difference) < 0.15
    # The same by the clock, when so many simulations were made in half of the time.
    for sims, ended in ((20, ""), (200, "decided")):
        search._control[SIMS] = sims
        assert search._limit_reached(Limits(seconds=1.0), 0.5) == ended


# --- A model that is not there yet --------------------------------------------------------


@pytest.fixture
def slow_model(monkeypatch):
    """Loading waits until the event is set."""
    may_load = threading.Event()

    def load(settings, size):
        assert may_load.wait(60)
        return FixedPredictor(1)

    monkeypatch.setattr("engine.search.predictor_for", load)
    yield may_load
    may_load.set()


def is_informed(thought):
    return max(c.prior for c in thought.candidates) > 1.5 * min(c.prior for c in thought.candidates)


def test_a_search_is_interrupted_while_its_model_is_loaded(slow_model):
    search, game = Search(settings_of()), Game(9, 7.5)
    stopper = threading.Timer(0.1, search.stop)
    stopper.start()
    started = time.perf_counter()
    thought = search.think(game, BLACK, Limits())
    assert time.perf_counter() - started < 5.0
    assert thought.ended == "interrupted"
    assert thought.candidates
    assert not is_informed(thought)
    # The next one has it.
    slow_model.set()
    thought = search.think(game, BLACK, Limits(sims=200))
    assert is_informed(thought)
    assert thought.visits == thought.sims  # and nothing of what was found without it


def test_a_search_that_is_told_to_stop_all_the_time_sees_moves_without_a_model(slow_model):
    search, game = Search(settings_of(expand_early=200, expand_at=200)), Game(9, 7.5)
    is_over = threading.Event()

    def keep_telling():
        while not is_over.wait(0.001):
            search.stop()

    thread = threading.Thread(target=keep_telling)
    thread.start()
    try:
        assert search.think(game, BLACK, Limits()).candidates
    finally:
        is_over.set()
        thread.join()


def test_a_clock_does_not_wait_for_a_model(slow_model):
    search, game = Search(settings_of()), Game(9, 7.5)
    thought = search.think(game, BLACK, Limits(seconds=0.2, longest=0.4))
    assert thought.candidates
    assert thought.seconds < 5.0


def test_what_is_wrong_with_a_model_is_told(monkeypatch):
    def load(settings, size):
        raise ValueError("no such weights")

    monkeypatch.setattr("engine.search.predictor_for", load)
    search = Search(settings_of())
    for _ in range(2):
        with pytest.raises(ValueError, match="no such weights"):
            search.think(Game(9, 7.5), BLACK, Limits(sims=10))


# --- Moves that somebody wants to be left out ---------------------------------------------


@pytest.mark.parametrize("early_stop", [False, True])
def test_avoided_moves_are_not_thought_about(early_stop):
    """Not even if they have most of the visits already, which decide nothing then."""
    search, game = Search(settings_of()), Game(5, 0.5)
    limits = Limits(sims=1000, early_stop=early_stop)
    best = search.think(game, BLACK, Limits(sims=20_000, early_stop=False)).best
    assert best.visits > 12_000
    thought = search.think(game, BLACK, limits, avoid=[best.point])
    assert best.point not in [c.point for c in thought.candidates]
    assert thought.sims > 500
    # And the next search may play there again.
    thought = search.think(game, BLACK, limits)
    assert best.point in [c.point for c in thought.candidates]


def test_avoided_moves_do_not_end_a_search_by_the_clock():
    search, game = Search(settings_of()), Game(5, 0.5)
    best = search.think(game, BLACK, Limits(sims=20_000, early_stop=False)).best
    visits = search.think(game, BLACK, Limits(sims=1, early_stop=False)).visits
    thought = search.think(game, BLACK, Limits(seconds=0.2), avoid=[best.point])
    assert thought.visits > visits
    assert thought.seconds > 0.1


def test_a_slow_model_at_the_root_decides_nothing():
    """One thread waits for the model while the other finds no moves at the root yet."""
    search, game = Search(settings_of(threads=2, expand_early=1000, expand_at=1000)), Game(9, 7.5)
    search._make(9)

    class Slow(FixedPredictor):
        def rank(self, turn, color):
            time.sleep(0 if turn.moves else 0.3)
            return super().rank(turn, color)

    for worker in search._workers:
        place = [int(worker.prior.record[name][0]) for name in ("board", "moment")]
        worker.prior = RankedKnowledge(Slow(1)).new_prior(*place)
    thought = search.think(game, BLACK, Limits(sims=20_000))
    assert thought.candidates
    assert thought.sims > 5000


def test_a_lost_move_with_many_visits_decides_nothing():
    """The search went into a move for long before it was proven to lose."""
    search, game = Search(settings_of()), Game(5, 0.5)
    best = search.think(game, BLACK, Limits(sims=20_000, early_stop=False)).best
    assert best.visits > 12_000
    arena = search._tree.arena
    arena.state[search._tree.child(0, best.point)] |= LOST
    thought = search.think(game, BLACK, Limits(sims=1000))
    assert thought.sims > 500
    assert thought.best.point != best.point
