"""The classic ladders, drawn. The prey is @; a marks the attacks that work, d the
defences of a chain in atari, e what is both.

By name: the diagram, what happens if the attacker moves first, and what if the defender does.
"""

from __future__ import annotations

DIAGRAMS = {
    "a simple ladder: only one of the two attacks works": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . a . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "captured",
        "escapes",
    ),
    "the same ladder under way": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . X @ a . . . .
        . X @ @ X . . . .
        . . X X . . . . .
        """,
        "captured",
        "captured",
    ),
    "a breaker on the diagonal": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "escapes",
        "escapes",
    ),
    "a breaker one column off": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "escapes",
        "escapes",
    ),
    "stones that stand too far off": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . O . . . O
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . a . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "captured",
        "escapes",
    ),
    "a breaker that gets into atari itself": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . . . O X . .
        . . . . . . . . .
        . . . . . . . . .
        . . a . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "captured",
        "escapes",
    ),
    "a breaker beside the path helps to take a chaser": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "escapes",
        "escapes",
    ),
    "a breaker on the other side of the path gives atari too": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . O .
        . . . . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "escapes",
        "escapes",
    ),
    "an attacking stone on the path takes the edge's part": (
        """
        . . . . . . . . .
        . . . . . . . O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . . . . . . .
        . . a . . . . . .
        . X @ . . . . . .
        . . X X . . . . .
        """,
        "captured",
        "escapes",
    ),
    "an attacker in atari can be taken": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . O X . . . . . .
        O X @ a . . . . .
        . d X X . . . . .
        """,
        "captured",
        "escapes",
    ),
    "the extension takes a stone that did not touch the prey": (
        """
        @ X X .
        @ X . .
        e O . O
        X O X X
        """,
        "captured",
        "escapes",
    ),
    "two stones": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X a . . . . .
        . X @ @ a . . . .
        . . X X X . . . .
        . . . . . . . . .
        """,
        "captured",
        "escapes",
    ),
    "down to the edge, against a stone that waits there": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X X . . .
        . X @ a . O .
        . . a . . . .
        """,
        "captured",
        "escapes",
    ),
    "a snapback: what is thrown in is taken, and all is taken back": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X X . .
        X @ @ @ X . .
        X @ a a X . .
        """,
        "captured",
        "captured",
    ),
    "a snapback, thrown in": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X X . .
        X @ @ @ X . .
        X @ X a X . .
        """,
        "captured",
        "captured",
    ),
    "a net holds, no ladder does": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . O . . .
        . . . . . . . . .
        . X . . . . . . .
        . X @ . . . . . .
        . O X X . . . . .
        . . O . . . . . .
        """,
        "escapes",
        "escapes",
    ),
    "a seki: whoever moves first loses": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X X X .
        @ @ @ @ @ @ X
        . X X X . @ X
        """,
        "escapes",
        "escapes",
    ),
    "two eyes need no move": (
        """
        . X . X
        X X X X
        @ @ @ @
        . @ @ .
        """,
        "escapes",
        "escapes",
    ),
}
