"""Players for tests of matches, made from `fake_engine.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from engine.match.players import Entrant
from engine.match.terms import GameItem, Terms
from engine.match.work import play_item

FAKE = str(Path(__file__).with_name("fake_engine.py"))
# Black takes the two columns on the left, White those on the right.
LEFT = "B1 B2 B3 B4 B5"
RIGHT = "D1 D2 D3 D4 D5"


def fake(name: str, *options: str) -> Entrant:
    """A fake engine with options of its script."""
    return Entrant(name, (sys.executable, "-S", FAKE, *options))


def fake_command(*options: str) -> str:
    """The same as somebody would write it on the command line."""
    return " ".join([sys.executable, "-S", FAKE, *options])


def left(*options: str) -> Entrant:
    return fake("left", "--moves", LEFT, *options)


def right(*options: str) -> Entrant:
    return fake("right", "--moves", RIGHT, *options)


def one_game(first: Entrant, second: Entrant, number: int = 0, **terms: Any) -> dict[str, Any]:
    """The result of a game in this process."""
    settings = {"size": 5, "komi": 0.5, "patience": 60.0, "share_cores": True, **terms}
    game = GameItem(number, first_is_black=number % 2 == 0)
    whole = Terms(first, second, **settings)
    return play_item({"terms": whole.to_json(), "game": game.to_json(), "keep": False})


def line(number: int, winner: str = "first", **more: object) -> dict[str, Any]:
    """The result of a game that was never played."""
    return {
        "game": number, "black": ("first", "second")[number % 2], "winner": winner,
        "result": "B+<1>", "reason": "count", "fault": None, "moves": 30 + 7 * number,
        "line": str(number), "opening": [], "seconds": {"first": 1.5, "second": 2.5 + number},
        "cpu": {"first": 1.0, "second": None}, "sgf": "(;GM[1])", **more,
    }  # fmt: skip
