"""What a search found out, as GoGui shows it: boards of numbers, variations, text.

All of these are about the last search, if the position it was about is on the board or was a
move ago; otherwise they search first, as long as for a move.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.geometry import BLACK, PASS
from engine.gtp.arguments import color_argument
from engine.gtp.boards import label_board, number_board
from engine.gtp.live import draw_line, draw_moves, draw_owners, summary
from engine.gtp.registry import command
from engine.gtp.session import Session
from engine.gtp.thinking import current_thought
from engine.thought import Candidate, Thought
from engine.vertex import color_text, vertex_text

# Points whose owner is this unsure get a label.
_UNSURE = 0.8
_BAR = 40


def _labels(session: Session, text: Callable[[Candidate], str]) -> str:
    thought = current_thought(session)
    labels = {c.point: text(c) for c in thought.candidates if c.visits and c.point != PASS}
    return label_board(session.size, labels)


@command("miai-search")
def search(session: Session, args: list[str]) -> str:
    """The best moves of the last search, drawn: shaded by visits, labelled with win rates."""
    thought = current_thought(session)
    return "\n".join([*draw_moves(thought), f"TEXT {summary(thought)}"])


@command("miai-visits")
def visits(session: Session, args: list[str]) -> str:
    """How often the last search tried each move."""
    return _labels(session, lambda candidate: f"{candidate.visits}")


@command("miai-values")
def values(session: Session, args: list[str]) -> str:
    """The share of its simulations that each move won, in percent."""
    return _labels(session, lambda candidate: f"{100 * candidate.value:.0f}")


@command("miai-lower_bounds")
def lower_bounds(session: Session, args: list[str]) -> str:
    """The lower bound of each move's value, in percent."""
    return _labels(session, lambda candidate: f"{100 * max(0.0, candidate.lower):.0f}")


@command("miai-rave")
def rave(session: Session, args: list[str]) -> str:
    """Each move's RAVE value, in percent: how games went in which it was played at some time."""
    thought = current_thought(session)
    labels = {
        c.point: f"{100 * c.rave_value:.0f}"
        for c in thought.candidates
        if c.rave_visits > 0 and c.point != PASS
    }
    return label_board(session.size, labels)


@command("miai-variation", "[COLOR]")
def variation(session: Session, args: list[str]) -> str:
    """The principal variation: the moves the last search expects."""
    thought = current_thought(session, color_argument(args, 0) if args else None)
    return " ".join(vertex_text(p) for p in (thought.best.line if thought.best else ()))


@command("miai-variations")
def variations(session: Session, args: list[str]) -> str:
    """The best moves, each with its visits, its value and what follows, as text."""
    return variations_text(current_thought(session))


def variations_text(thought: Thought, count: int = 10) -> str:
    lines = [f"{color_text(thought.color)} to move, {summary(thought)}"]
    for c in thought.candidates[:count]:
        line = " ".join(vertex_text(p) for p in c.line)
        lines.append(
            f"{vertex_text(c.point):4} {c.visits:8} visits  {100 * c.value:5.1f}%  "
            f"prior {100 * c.prior:5.1f}%  {line}"
        )
    return "\n".join(lines)


@command("miai-line")
def line(session: Session, args: list[str]) -> str:
    """The principal variation, drawn."""
    return "\n".join(draw_line(current_thought(session)))


@command("miai-owners")
def owners(session: Session, args: list[str]) -> str:
    """Whose point each will be, from -1 (White's) to 1 (Black's)."""
    return number_board(session.size, current_thought(session).owners)


@command("miai-owners_spread")
def owners_spread(session: Session, args: list[str]) -> str:
    """The same, drawn, with labels where games end differently: the spread in percent."""
    thought = current_thought(session)
    unsure = {p: math.sqrt(max(0.0, 1 - min(1.0, x * x))) for p, x in thought.owners.items()}
    labels = [
        f"LABEL {vertex_text(p)} {100 * spread:.0f}"
        for p, spread in sorted(unsure.items())
        if spread > _UNSURE
    ]
    return "\n".join([*draw_owners(thought), *labels])


@command("miai-criticality")
def criticality(session: Session, args: list[str]) -> str:
    """How much each point decides: whether who owns it goes with who wins."""
    found = current_thought(session).criticality
    largest = max((abs(x) for x in found.values()), default=0.0) or 1.0
    return number_board(session.size, {p: x / largest for p, x in found.items()})


@command("miai-histogram")
def histogram(session: Session, args: list[str]) -> str:
    """How the simulated games ended, as text."""
    return histogram_text(current_thought(session), session.komi)


def histogram_text(thought: Thought, komi: float) -> str:
    """Bars for Black's lead on the board, in steps that make about twenty of them."""
    counts = thought.histogram
    total = sum(counts.values())
    if not total:
        return "no simulated games"
    width = max(1, math.ceil((max(counts) - min(counts) + 1) / 20))
    bins: dict[int, int] = {}
    for lead, count in counts.items():
        bins[lead // width] = bins.get(lead // width, 0) + count
    most = max(bins.values())
    mover = "Black" if thought.color == BLACK else "White"
    lines = [
        f"Black's lead on the board in {total} games; komi is {komi:g}",
        (
            f"{mover} to move wins {100 * thought.value:.1f}% and leads by {thought.score:.1f}, "
            f"give or take {thought.score_deviation:.1f}"
        ),
    ]
    for step in range(max(bins), min(bins) - 1, -1):
        count = bins.get(step, 0)
        lines.append(f"{step * width:+5d} {count:7d} {'*' * round(_BAR * count / most)}".rstrip())
    return "\n".join(lines)


@command("miai-tree")
def tree(session: Session, args: list[str]) -> str:
    """The size of the search tree and the memory it takes, as text."""
    thought = current_thought(session)
    most = session.settings.integer("memory", session.size)
    speed = thought.sims / thought.seconds if thought.seconds > 0 else 0.0
    return "\n".join(
        [
            f"Simulations: {thought.sims} in {thought.seconds:.2f} s, {speed:.0f} a second",
            f"Root visits: {thought.visits}, with what was kept from before",
            f"Nodes: {thought.nodes}",
            f"Memory: {thought.bytes / 2**20:.1f} MB of {most} MB",
            f"Moves tried: {sum(c.visits > 0 for c in thought.candidates)}",
            f"Longest line: {max((len(c.line) for c in thought.candidates), default=0)} moves",
            f"Ended: {thought.ended or 'it goes on'}",
        ]
    )


@command("miai-time_plan")
def time_plan(session: Session, args: list[str]) -> str:
    """How long the next move will be thought about, and why, as text."""
    settings, size = session.settings, session.size
    clock, color = session.clock, session.game.to_move
    lines = [f"To move: {color_text(color)}, after {len(session.game.moves)} moves"]
    sims = settings.integer("sims", size)
    if sims:
        lines.append(f"Simulations: at most {sims}")
    if clock is None:
        lines.append(f"Clock: none, so {settings.number('seconds', size):g} s a move")
        return "\n".join(lines)
    left, stones = clock.left(color)
    plan = clock.plan(color, size, len(session.game.moves), settings.number("lag", size))
    lines += [
        f"Clock: {clock.settings.system}",
        f"Left: {left:.1f} s" + (f" for {stones} more" if stones else " of the main time"),
        f"Plan: {plan.desired:.2f} s, at most {plan.longest:.2f} s",
        f"Kept back: {settings.number('lag', size):g} s a move for the way to the server",
    ]
    return "\n".join(lines)
