"""Many threads on one tree in a tiny arena: at the end every sum and every parent is right."""

from __future__ import annotations

import random
import threading

import pytest

from engine.game import Game
from engine.geometry import BLACK, PASS
from engine.rules import RULES
from engine.search import Limits, Search
from engine.tree import LEAST_NODES, NODE_BYTES, Tree
from tests.search.fixed import settings_of
from tests.search.trees import check_tree, snapshot, visits_in

SCHEMES = ("puct", "prior", "additive", "widening", "none")


def tiny(threads: int, **chosen) -> Search:
    """A search whose arena holds a few thousand nodes."""
    settings = settings_of(threads=threads, expand_at=1, **chosen)
    settings.chosen["memory"] = 0  # less than anybody may ask for
    return Search(settings)


def play_on(game: Game, rng: random.Random, moves: int) -> None:
    for _ in range(moves):
        game.play(game.to_move, rng.choice([*game.legal_points(game.to_move), PASS]))


def stress(seed: int, threads: int, games: int) -> int:
    """Search positions of random games again and again, go on in the same tree, stop in the
    middle; returns how often the arena was full."""
    rng = random.Random(seed)
    full = 0
    for _ in range(games):
        selection = rng.choice(SCHEMES)
        search = tiny(threads, seed=rng.randrange(1, 1000), selection=selection)
        game = Game(rng.choice((3, 5, 7, 9, 13)), 6.5, RULES[rng.choice(list(RULES))])
        play_on(game, rng, rng.randrange(game.size**2))
        collect = search._collect

        def count_collections(collect=collect, search=search):
            nonlocal full
            full += 1
            collect()
            if full % 10 == 1:
                check_tree(search._tree)

        search._collect = count_collections
        kept = 0
        for turn in range(3):
            sims = rng.choice((500, 3000, 9000))
            stopper = threading.Timer(rng.random() * 0.2, search.stop)
            if turn == 1:
                stopper.start()
            thought = search.think(game, game.to_move, Limits(sims=sims, early_stop=False))
            stopper.cancel()
            assert thought.ended in ("sims", "interrupted")
            assert thought.ended == "interrupted" or thought.sims == sims
            assert thought.visits == kept + thought.sims
            assert thought.nodes == search._tree.used
            check_tree(search._tree)
            if thought.best is None:
                break
            game.play(game.to_move, thought.best.point)
            kept = thought.best.visits
    return full


@pytest.mark.parametrize("threads", [2, 4, 8])
def test_sums_and_parents_after_races(threads, capsys):
    full = stress(threads, threads, 6)
    assert full > 0
    assert capsys.readouterr().err.count("memory is full") == full


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_every_thread_says_of_the_roots_moves_arrives(threads):
    """Each visit of a move is a RAVE visit of it too, and nothing else is credited twice."""
    search = Search(settings_of(threads=threads, rave_early=1, seed=3))
    thought = search.think(Game(9, 7.5), BLACK, Limits(sims=4001, early_stop=False))
    assert sum(c.visits for c in thought.candidates) > 3900
    for candidate in thought.candidates:
        if candidate.point != PASS:
            assert candidate.visits <= candidate.rave_visits <= thought.sims
    for worker in search._workers:
        assert not worker.simulation[0]["root_rave"].any()


@pytest.mark.slow
@pytest.mark.parametrize("threads", range(2, 9))
def test_sums_and_parents_after_long_races(threads):
    assert stress(100 + threads, threads, 300) > 10


# --- Room ---------------------------------------------------------------------------------


def grown(sims: int = 2000, size: int = 7, **chosen) -> tuple[Search, Game]:
    """A tree with some thousand nodes, in an arena that holds them all."""
    search = Search(settings_of(expand_at=1, **chosen))
    game = Game(size, 0.5)
    search.think(game, game.to_move, Limits(sims=sims, early_stop=False))
    return search, game


@pytest.mark.parametrize("least", [0, 2, 16, 300, 10**6])
def test_a_subtree_is_copied_as_its_twin(least):
    tree = grown()[0]._tree
    visits = visits_in(tree.arena)
    for node in (0, 1, int(visits[1:40].argmax()) + 1):
        expected = snapshot(tree.arena, node, least)
        copy = Tree(0)
        copy._arenas = [tree.arena, Tree(16 << 20).arena]
        copy.capacity = len(tree.arena.stats)
        copy._keep(node, least)
        assert snapshot(copy.arena) == expected
        assert check_tree(copy) == copy.used


def test_a_subtree_that_does_not_fit_is_refused():
    from engine.tree import copy_subtree, new_arena

    tree = grown()[0]._tree
    assert tree.used > 2000
    assert copy_subtree(tree.arena, 0, new_arena(tree.used - 1), 0) == 0
    assert copy_subtree(tree.arena, 0, new_arena(tree.used), 0) == tree.used


def test_the_tree_follows_the_game():
    search, game = grown()
    tree = search._tree
    first = tree.child(0, search._candidates()[0].point)
    second = int(tree.arena.first[first]) + 2
    moves = [int(tree.arena.move[node]) for node in (first, second)]
    expected = snapshot(tree.arena, second)
    assert tree.descend(moves)
    assert snapshot(tree.arena) == expected
    assert check_tree(tree) == tree.used
    # A move that isn't there empties it.
    assert not tree.descend([game.position.points()[0], 9999])
    assert tree.used == 1
    assert check_tree(tree) == 1


def test_collecting_keeps_what_was_visited_often():
    tree = grown(6000, 9)[0]._tree
    tree.capacity = 2 * tree.used  # nothing has to go, but leaves with few visits
    expected = snapshot(tree.arena, 0, 16)
    tree.collect()
    assert snapshot(tree.arena) == expected
    tree.capacity = tree.used  # half of it must go
    tree.collect()
    assert tree.used <= tree.capacity // 2
    assert check_tree(tree) == tree.used


def test_the_arenas_stay_within_the_memory_they_were_given():
    for memory in (0, 1 << 20, 16 << 20):
        tree = Tree(memory)
        taken = sum(column.nbytes for arena in tree._arenas for column in arena)
        assert taken == 2 * tree.capacity * NODE_BYTES
        assert taken <= max(memory, 2 * LEAST_NODES * NODE_BYTES)


@pytest.mark.parametrize("size", [9, 25])
def test_a_full_arena_never_ends_a_search(size):
    search = tiny(1)
    game = Game(size, 7.5)
    sims = 20 * LEAST_NODES // size
    most = 0

    def note(thought):
        nonlocal most
        most = max(most, thought.nodes)
        assert thought.bytes == thought.nodes * NODE_BYTES

    thought = search.think(
        game, game.to_move, Limits(sims=sims, early_stop=False), note, interval=0.001
    )
    assert thought.sims == thought.visits == sims
    assert 0 < most <= LEAST_NODES == search._tree.capacity
