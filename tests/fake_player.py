"""A player that follows the face of the real one but searches nothing, so that tests are fast.

It takes as long as it is told to, reports on the way and stops when asked. Its moves depend on
the position and the seed alone. It resigns when the setting `resign` is 0.5.
"""

from __future__ import annotations

import random
import threading
import time
from typing import NamedTuple

from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE
from engine.playout.light import light_candidates
from engine.thought import Candidate, Thought

RESIGN = -1


class Decision(NamedTuple):
    point: int
    thought: Thought | None


class Status(NamedTuple):
    alive: list[int]
    dead: list[int]
    seki: list[int]
    owners: dict[int, float]


class Ranked(NamedTuple):
    points: list[int]
    scores: list[float]
    probabilities: list[float]


class FakePlayer:
    def __init__(self, settings):
        self.settings = settings
        self.last_thought = None
        self.pondering = None
        self._stopped = threading.Event()
        self.is_thinking = False
        self._lock = threading.Lock()

    # --- Thinking ----------------------------------------------------------------------

    def choose(
        self, game, color, clock=None, *, cleanup=False, on_report=None, interval=0.0, avoid=()
    ):
        seconds = 0.0 if self.settings.integer("sims") else self.settings.number("seconds")
        if clock is not None and seconds:
            lag = self.settings.number("lag")
            seconds = clock.plan(color, game.size, len(game.moves), lag).desired
        thought = self._think(game, color, seconds, on_report, interval, frozenset(avoid))
        if self.settings.number("resign") == 0.5:
            return Decision(RESIGN, thought)
        takes_dead = cleanup or self.settings.flag("cleanup")
        if takes_dead and (captures := self._captures(game, color)):
            return Decision(captures[0], thought)
        return Decision(thought.best.point, thought)

    def analyze(self, game, color, on_report, interval, *, avoid=()):
        return self._think(game, color, 1e9, on_report, interval, frozenset(avoid), report=True)

    def _think(self, game, color, seconds, on_report, interval, avoid, report=False):
        with self._lock:
            self.pondering = None
            self._stopped.clear()
            self.is_thinking = True
        start = time.monotonic()
        visits = 100
        while True:
            left = seconds - (time.monotonic() - start)
            wait = min(left, interval) if on_report and interval else left
            if wait <= 0 or self._stopped.wait(wait):
                break
            visits += 100
            if on_report:
                report = False
                on_report(self.thought(game, color, visits, avoid))
        with self._lock:
            self.is_thinking = False
        thought = self.thought(game, color, visits, avoid)
        if on_report and report:
            on_report(thought)
        self.last_thought = thought
        return thought

    def stop(self):
        with self._lock:
            self.pondering = None
            if self.is_thinking:
                self._stopped.set()

    def ponder(self, game):
        self.pondering = len(game.events)

    def close(self):
        self.stop()

    # --- What it finds out -------------------------------------------------------------

    def thought(self, game, color, visits, avoid=frozenset()):
        rng = random.Random(f"{self.settings.integer('seed')} {len(game.events)} {color}")
        points = [
            p
            for p in light_candidates(game.position, color)
            if p not in avoid and game.why_illegal(color, p) is None
        ]
        rng.shuffle(points)
        points = points or [PASS]
        total = len(points) * (len(points) + 1) // 2
        candidates = []
        for i, p in enumerate(points):
            share = (len(points) - i) / total
            value = 0.2 + 0.6 * share
            line = (p, *[q for q in points if q != p][:3])
            n = int(visits * share)
            candidates.append(Candidate(p, n, value, value - 0.05, share, 2.0 * n, value, line))
        owners = {p: rng.uniform(-1, 1) for p in game.position.points()}
        return Thought(
            color=color, sims=visits, visits=visits, seconds=0.1, value=candidates[0].value,
            score=2.5, score_deviation=10.0, candidates=tuple(candidates), owners=owners,
            criticality={p: x / 10 for p, x in owners.items()},
            histogram={lead: 40 - abs(lead) for lead in range(-30, 31)},
            nodes=visits, bytes=visits * 100, ended="time",
        )  # fmt: skip

    # --- The end of the game -----------------------------------------------------------

    def status(self, game):
        """Chains in atari are dead. It takes its time if the setting `seconds` is 1000."""
        if self.settings.number("seconds") == 1000:
            self._think(game, game.to_move, 1000, None, 0.0, frozenset())
        dead, alive = [], []
        for color in (BLACK, WHITE):
            for p in game.position.stones(color):
                (dead if len(game.position.chain(p)[1]) == 1 else alive).append(p)
        owners = dict.fromkeys(game.position.stones(BLACK), 1.0)
        owners |= dict.fromkeys(game.position.stones(WHITE), -1.0)
        return Status(alive, dead, [], owners)

    def final_score(self, game: Game) -> float:
        return game.score(self.status(game).dead)

    def _captures(self, game, color):
        dead = [p for p in self.status(game).dead if game.position.color_at(p) != color]
        points = [game.position.chain(p)[1][0] for p in dead]
        return [p for p in points if game.why_illegal(color, p) is None]

    def raw(self, kind, game, color):
        thought = self.thought(game, color, 100)
        shares = [candidate.prior for candidate in thought.candidates]
        return Ranked([candidate.point for candidate in thought.candidates], shares, shares)
