"""Word on stderr while and after the engine thinks: pictures for GoGui, chat for gtp2ogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.console import say
from engine.geometry import BLACK, PASS, opponent
from engine.vertex import vertex_text

if TYPE_CHECKING:
    from engine.game import Game
    from engine.parameters import Settings
    from engine.thought import Thought

SHOWN_MOVES = 12
SHOWN_LINE = 12


# --- What GoGui can draw -----------------------------------------------------------------------


def draw_moves(thought: Thought) -> list[str]:
    """The best moves, shaded by their share of the visits and labelled with their win rates."""
    shown = [c for c in thought.candidates[:SHOWN_MOVES] if c.visits and c.point != PASS]
    most = max((c.visits for c in shown), default=1)
    sign = 1 if thought.color == BLACK else -1
    lines = [f"INFLUENCE {vertex_text(c.point)} {sign * c.visits / most:.3f}" for c in shown]
    lines += [f"LABEL {vertex_text(c.point)} {100 * c.value:.0f}" for c in shown]
    if shown:
        lines.append(f"MARK {vertex_text(shown[0].point)}")
    return lines


def draw_line(thought: Thought) -> list[str]:
    """The principal variation."""
    moves, color = [], thought.color
    for p in thought.best.line[:SHOWN_LINE] if thought.best else ():
        moves.append(f"{'b' if color == BLACK else 'w'} {vertex_text(p).upper()}")
        color = opponent(color)
    return [f"VAR {' '.join(moves)}"] if moves else []


def draw_visits(thought: Thought) -> list[str]:
    """How often each move was tried."""
    return [
        f"LABEL {vertex_text(c.point)} {c.visits}"
        for c in thought.candidates
        if c.visits and c.point != PASS
    ]


def draw_owners(thought: Thought) -> list[str]:
    """Whose point each will be: full squares are certain."""
    return [
        f"INFLUENCE {vertex_text(p)} {max(-1.0, min(1.0, owner)):.3f}"
        for p, owner in sorted(thought.owners.items())
    ]


def summary(thought: Thought) -> str:
    """A search in a line."""
    best = thought.best
    move = f", best {vertex_text(best.point)}" if best else ""
    return (
        f"{thought.visits} visits in {thought.seconds:.1f} s, wins {100 * thought.value:.1f}%, "
        f"leads by {thought.score:.1f}{move}"
    )


_MODES = {"moves": draw_moves, "line": draw_line, "visits": draw_visits, "owners": draw_owners}


class LiveGraphics:
    """GoGui's picture of a search that goes on. Off unless the settings say otherwise."""

    def __init__(self, settings: Settings, game: Game) -> None:
        mode = settings.text("live_graphics", game.size)
        self.mode = "" if mode == "off" else mode
        self.interval = settings.number("live_interval", game.size)

    def show(self, thought: Thought) -> None:
        """Draw it again, in one write, so that no other line gets in between."""
        lines = [*_MODES[self.mode](thought), f"TEXT {summary(thought)}"]
        say("\n".join(["gogui-gfx:", *lines, ""]))

    def clear(self) -> None:
        if self.mode:
            say("gogui-gfx: CLEAR")


# --- Chat --------------------------------------------------------------------------------------


def malkovich(thought: Thought | None) -> None:
    """A line that gtp2ogs puts into the chat where only spectators see it."""
    if thought is None:
        return
    line = " ".join(vertex_text(q) for q in thought.best.line[:SHOWN_LINE]) if thought.best else ""
    say(f"MALKOVICH: {summary(thought)}. {line}".rstrip())
