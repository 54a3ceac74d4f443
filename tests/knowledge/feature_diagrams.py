"""Board diagrams for every level of capture, extension, atari and ladder, and some more.

A case is drawn as `tests/diagrams.py` says. Then some moves are played: "Wb" is White at b, "W-" a
pass. The side to move is the other one, Black if there are no moves. `levels` gives for marked
points the values they must have by group, None for none; a point mapped to None is illegal.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, opponent, row_and_column
from engine.rules import RULES
from tests.diagrams import Diagram
from tests.naive.scene import Scene
from tests.positions import grid_of

Levels = dict[str, str | None]


class Case(NamedTuple):
    diagram: str
    moves: str
    levels: dict[str, Levels | None]
    color: int = BLACK  # to move if no moves are played

    def point(self, mark: str) -> int:
        return Diagram(self.diagram)[mark]

    def _moves(self) -> list[tuple[int, int]]:
        diagram = Diagram(self.diagram)
        return [
            (BLACK if text[0] == "B" else WHITE, PASS if text[1] == "-" else diagram[text[1]])
            for text in self.moves.split()
        ]

    def scene(self) -> Scene:
        """The moment for the twins."""
        scene = Scene(grid_of(Diagram(self.diagram).position), self.color)
        for color, p in self._moves():
            scene = scene.play(None if p == PASS else row_and_column(p), color)
        return scene

    def game(self) -> Game:
        """The moment for the engine."""
        game = Diagram(self.diagram).game(RULES["chinese"], self.color)
        for color, p in self._moves():
            game.play(color, p)
            game.to_move = opponent(color)
        return game


CASES = {
    "takes stones beside a chain newly in atari, or extends it": Case(
        """
        . . . . . . .
        . . . . . . .
        . O e . . . .
        O X X b . . .
        X O O X . . .
        . X a . . . .
        . . . . . . .
        """,
        "Wb",
        {
            "a": {
                "capture": "saves",
                "simple_capture": "saves",
                "take": "rescues new, 2 stones",
                "playout": "save",
                "extension": None,
                "save": None,
            },
            "e": {
                "capture": None,
                "extension": "free",
                "simple_extension": "yes",
                "save": "new, two, 2 stones",
                "playout": "save",
                "reply_extension": "yes",
            },
        },
    ),
    "the same atari is old after a pass": Case(
        """
        . . . . . . .
        . . . . . . .
        . O e . . . .
        O X X b . . .
        X O O X . . .
        . X a . . . .
        . . . . . . .
        """,
        "Wb B- W-",
        {
            "a": {
                "capture": "escaper",
                "simple_capture": "saves",
                "take": "rescues, 2 stones",
                "playout": "capture",
            },
            "e": {
                "extension": None,
                "simple_extension": None,
                "save": "old, two, 2 stones",
                "playout": None,
            },
        },
    ),
    "a snapback takes back": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X . . .
        X O O O X . .
        X O t b X . .
        """,
        "Bt Wb",
        {
            "t": {
                "capture": "recaptures",
                "simple_capture": "recaptures",
                "take": "recaptures, 3-6 stones",
                "playout": "take last",
                "reply_capture": "yes",
                "distance_before": None,
                "distance_second": "0",
                "cfg_second": "0",
                "ko": None,
            },
        },
    ),
    "a capture parts stones from the last move": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X . . . . .
        X O a b . . .
        . X . . . . .
        . . . . . . .
        """,
        "Wb",
        {
            "a": {
                "capture": "parts",
                "simple_capture": "parts",
                "take": "parts, 1 stone",
                "playout": "shape",
                "answer": "theirs 4+, no ours",
            },
        },
    ),
    "a capture of a stone that could run": Case(
        """
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . X O a . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        """,
        "",
        {"a": {"capture": "escaper", "simple_capture": "other", "take": "escaper, 1 stone"}},
    ),
    "a capture of a stone that could not run": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X . . . .
        X O a . . . .
        """,
        "",
        {"a": {"capture": "lost", "simple_capture": "other", "take": "lost, 1 stone"}},
    ),
    "of two captures one could be saved by a capture": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X O . .
        X O a O X . .
        """,
        "",
        {
            "a": {
                "capture": "escaper",
                "simple_capture": "saves",
                "take": "rescues, 2 stones",
                "contact": "1 own 4+, 2 enemy 1",
            },
        },
    ),
    "of two captures none could be saved": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X . . .
        X O a O X . .
        """,
        "",
        {"a": {"capture": "lost", "simple_capture": "other", "take": "lost, 2 stones"}},
    ),
    "the last move is in atari and could run": Case(
        """
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . X b a . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        """,
        "Wb",
        {"a": {"capture": "escaper", "simple_capture": "other", "take": "last, 1 stone"}},
    ),
    "the last move is in atari and could not run": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X . . . .
        X b a . . . .
        """,
        "Wb",
        {"a": {"capture": "lost", "take": "last lost, 1 stone", "playout": "take last"}},
    ),
    "an extension into the open": Case(
        """
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X a . . .
        . . b . . . .
        . . . . . . .
        . . . . . . .
        """,
        "Wb",
        {
            "a": {
                "extension": "free",
                "save": "new, free, 1 stone",
                "self_atari": None,
                "playout": "save",
                "last_context": "left 1, 3",
                "answer": "no theirs, ours 1",
            },
        },
    ),
    "an extension along the edge that stays in atari": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . O O . . . .
        b X a . . . .
        """,
        "Wb",
        {
            "a": {
                "extension": "lost",
                "save": "new, dies, 1 stone",
                "self_atari": "yes",
                "self_atari_kind": "small",
                "chain_self_atari": "bad",
                "playout": "filtered",
                "reply_extension": None,
            },
        },
    ),
    "an extension in a ladder that works": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . b . . .
        . . O X a . .
        . O X X O . .
        . . O O . . .
        """,
        "Wb",
        {"a": {"extension": "lost", "save": "new, ladder, 3-6 stones", "self_atari": None}},
    ),
    "an extension in a ladder that a stone breaks": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . X .
        . . . b . . .
        . . O X a . .
        . O X X O . .
        . . O O . . .
        """,
        "Wb",
        {"a": {"extension": "free", "save": "new, two, 3-6 stones"}},
    ),
    "a ladder starts on one side only": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . a . . . .
        . X @ b . . .
        . . X X . . .
        """,
        "",
        {
            "a": {"atari": "ladder", "simple_atari": "other", "threat": "ladder"},
            "b": {"atari": "other", "simple_atari": "other", "threat": "wrong side"},
        },
    ),
    "a ladder that a stone breaks is an atari like others": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . O .
        . . . . . . .
        . . a . . . .
        . X @ b . . .
        . . X X . . .
        """,
        "",
        {
            "a": {"atari": "other", "threat": "other"},
            "b": {"atari": "other", "threat": "other"},
        },
    ),
    "a ladder on three stones": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . a . . .
        . . X O b . .
        . X O O X . .
        . . X X . . .
        """,
        "",
        {
            "a": {"atari": "ladder", "threat": "big ladder"},
            "b": {"atari": "other", "threat": "wrong side"},
        },
    ),
    "a ladder against own stones": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . a . . . .
        . O X b . . .
        . . O O . . .
        """,
        "",
        {
            "a": {"own_liberties": "threatened, to 4", "save": None},
            "b": {"own_liberties": "threatened, to 3"},
        },
    ),
    "no ladder against own stones": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . X .
        . . . . . . .
        . . a . . . .
        . O X b . . .
        . . O O . . .
        """,
        "",
        {"a": {"own_liberties": "2, to 4"}, "b": {"own_liberties": "2, to 3"}},
    ),
    "a double atari": Case(
        """
        . . . . . . .
        . . . . . . .
        . . X . X . .
        . X O a O X .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "",
        {"a": {"atari": "other", "threat": "double", "contact": "no own, 2 enemy 2"}},
    ),
    "an atari as a ko threat": Case(
        """
        . . . . . . . . .
        . X O . . . . . .
        X k # O . . . . .
        . X O . . . . . .
        . . . . . X . . .
        . . . . X O a . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        "Wk",
        {
            "#": None,
            "a": {"atari": "ko", "simple_atari": "ko", "threat": "ko", "ko": "threat"},
        },
    ),
    "the same atari once a pass has freed the ko": Case(
        """
        . . . . . . . . .
        . X O . . . . . .
        X k # O . . . . .
        . X O . . . . . .
        . . . . . X . . .
        . . . . X O a . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        "Wk B- W-",
        {
            "#": {"ko": "take", "take": "escaper, 1 stone"},
            "a": {"atari": "other", "simple_atari": "other", "threat": "other", "ko": None},
        },
    ),
    "a ko can be filled": Case(
        """
        . X O . . . .
        X k X O . . .
        . X O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "",
        {"k": {"ko": "fill"}},
    ),
    "an atari on the last move": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X b a . .
        . . . c . . .
        . . . . . . .
        """,
        "Wb",
        {
            "a": {
                "atari": "other",
                "threat": "last",
                "playout": "attack",
                "answer": "theirs 2, no ours",
            },
        },
    ),
    "an atari on three stones": Case(
        """
        . . . . . . .
        . . . . . . .
        . X X X . . .
        X O O O a . .
        . X X b . . .
        . . . . O . .
        . . . . . . .
        """,
        "",
        {
            "a": {"atari": "other", "threat": "big"},
            "b": {"atari": "other", "threat": "big"},
        },
    ),
    "a net around one stone": Case(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . O . . .
        . . . n . . . . .
        . X . m . . . . .
        . X @ . . . . . .
        . O X X . . . . .
        . . O . . . . . .
        """,
        "",
        {"m": {"net": "small", "threat": None}, "n": {"net": None}},
    ),
    "a net around three stones": Case(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . O O .
        . . . . . . . . .
        . X X . m . . . .
        X @ @ @ . . . . .
        . X X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        "",
        {"m": {"net": "big"}},
    ),
    "a friend inside the net": Case(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . O . . . .
        . . . . O . . . .
        . X . m . . . . .
        . X @ . . . . . .
        . O X . X . . . .
        . . O . . . . . .
        """,
        "",
        {"m": {"net": None}},
    ),
    "a self-atari of three stones": Case(
        """
        . . . . .
        . X X . .
        X O O X .
        . X a X .
        . . . . .
        """,
        "",
        {"a": {"self_atari": "yes", "self_atari_kind": "big", "chain_self_atari": "bad"}},
        WHITE,
    ),
    "a self-atari for a snapback": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X . . .
        X O O O X . .
        X O t . X . .
        """,
        "",
        {
            "t": {
                "self_atari": "yes",
                "self_atari_kind": "good",
                "chain_self_atari": None,
                "playout": None,
            },
        },
    ),
    "a self-atari of a chain that kills from inside": Case(
        """
        . . . . . .
        . . . . . .
        . . . . . .
        X X X X . .
        O O O O X .
        X a . O X .
        """,
        "",
        {"a": {"self_atari_kind": "good", "chain_self_atari": "good", "playout": None}},
    ),
    "eyes": Case(
        """
        a X . . . O e
        X d . . . f O
        . . . . . . .
        . . . . . . .
        . . . . . . X
        X O . . . X O
        g X . . . O h
        """,
        "",
        {
            "a": {"eye": "own real", "playout": "filtered"},
            "d": {"eye": "guards"},
            "e": None,
            "f": {"eye": "spoils"},
            "g": {"eye": "own false"},
            "h": {"eye": "enemy false"},
        },
    ),
    "two liberties are defended": Case(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . O X a . . .
        . . b . . . .
        . . . . . . .
        . . . . . . .
        """,
        "Wb",
        {
            "a": {
                "playout": "defend",
                "last_context": "left 2, 3",
                "answer": "no theirs, ours 2",
                "own_liberties": "2, to 4",
                "contact": "1 own 2, no enemy",
                "cfg_last": "2",
            },
        },
    ),
    "the middle of three points": Case(
        """
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        O O O O . .
        c m . b . .
        """,
        "Wb",
        {
            "m": {"playout": "nakade", "distance_last": "4"},
            "c": {"playout": "filtered"},
        },
    ),
    "a hane beside the move before": Case(
        """
        . . . . . . .
        . b . . . . .
        . . . . . . .
        . . . . . . .
        . . s O X . .
        . . . a . . .
        . . . . . . .
        """,
        "Bs Wb",
        {"a": {"playout": "second shape", "contiguity": None, "distance_second": "3"}},
    ),
}
