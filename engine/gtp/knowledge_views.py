"""What is known of moves without a search, as GoGui shows it: models, patterns, tactics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.geometry import BLACK, PASS, WHITE
from engine.gtp.arguments import SYNTAX_ERROR, argument, vertex_argument
from engine.gtp.boards import color_board, label_board
from engine.gtp.reasons import explaining_model, move_reasons
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.gtp.thinking import judge_status
from engine.vertex import vertex_text

if TYPE_CHECKING:
    from knowledge.factors import FactorModel

KINDS = ("fbt", "lfr", "mm", "spt")
_POLICY_DRAWS = 2000


# --- Models ----------------------------------------------------------------------------------


def _probabilities(session: Session, args: list[str]) -> dict[int, float]:
    kind = argument(args, 0).lower()
    if kind not in KINDS:
        raise GtpError(f"unknown model: one of {', '.join(KINDS)}")
    game = session.game
    try:
        ranked = session.player.raw(kind, game, game.to_move)
    except ValueError as error:
        raise GtpError(str(error)) from None
    pairs = zip(ranked.points, ranked.probabilities, strict=True)
    return {int(p): float(x) for p, x in pairs if int(p) != PASS}


@command("miai-probability_colors", "MODEL")
def probability_colors(session: Session, args: list[str]) -> str:
    """A model's move probabilities as colours, the likeliest red; fbt, lfr, mm or spt."""
    found = _probabilities(session, args)
    most = max(found.values(), default=1.0) or 1.0
    return color_board(session.size, {p: (x / most) ** 0.5 for p, x in found.items() if x > 0.001})


@command("miai-probabilities", "MODEL")
def probabilities(session: Session, args: list[str]) -> str:
    """A model's move probabilities in percent, those above a half percent."""
    found = _probabilities(session, args)
    labels = {p: f"{100 * x:.0f}" for p, x in found.items() if x >= 0.005}
    return label_board(session.size, labels)


@command("miai-features", "VERTEX")
def features(session: Session, args: list[str]) -> str:
    """The features of a move with their weights, as text."""
    game = session.game
    p = vertex_argument(args, 0, session.size, SYNTAX_ERROR)
    if game.why_illegal(game.to_move, p):
        raise GtpError(f"{vertex_text(p)} is not a legal move here")
    return "\n".join(move_reasons(session, game, (p,)))


@command("miai-pattern_sizes")
def pattern_sizes(session: Session, args: list[str]) -> str:
    """The size of the largest known pattern around each move."""
    from knowledge.features import Extractor

    game, model = session.game, explaining_model(session)
    points, ids = Extractor(model.features).extract(game, game.to_move)
    labels = {}
    for p, row in zip(points, ids, strict=True):
        sizes = [_pattern_size(model, int(feature)) for feature in row if feature]
        if int(p) != PASS and max(sizes, default=0):
            labels[int(p)] = str(max(sizes))
    return label_board(session.size, labels)


def _pattern_size(model: FactorModel, feature: int) -> int:
    pattern = model.features.pattern_of(feature)
    dictionary = model.features.dictionary
    return 0 if pattern is None or dictionary is None else int(dictionary.size[pattern])


@command("miai-playout_policy")
def playout_policy(session: Session, args: list[str]) -> str:
    """How often a playout would choose each move, in percent."""
    from engine.playout.policy import Runner, named_policy

    game = session.game
    runner = Runner(named_policy(session.settings.text("playouts", game.size), game.size), 1)
    last, before = ([PASS, PASS] + [move.point for move in game.moves])[:-3:-1]
    counts = runner.draws(game.position, game.to_move, _POLICY_DRAWS, last, before)
    shares = {p: 100 * n / _POLICY_DRAWS for p, n in counts.items() if p != PASS}
    return label_board(session.size, {p: f"{x:.0f}" for p, x in shares.items() if x >= 0.5})


# --- Tactics ---------------------------------------------------------------------------------


@command("miai-ladders")
def ladders(session: Session, args: list[str]) -> str:
    """Chains that a ladder takes, drawn: marked if nothing helps, else with attack and defence."""
    from engine.tactics.ladders import LadderReader

    position, reader = session.game.position, LadderReader()
    lost, attacks, defences = [], set(), set()
    seen: set[int] = set()
    for p in position.stones(BLACK) + position.stones(WHITE):
        if p in seen:
            continue
        stones, liberties = position.chain(p)
        seen.update(stones)
        if len(liberties) > 2 or not (attack := reader.attack(position, p)):
            continue
        defence = reader.defence(position, p)
        if len(liberties) == 1 and not defence:
            lost += stones
            continue
        attacks.add(attack)
        defences.update({defence} - {PASS})
    marks = (("MARK", lost), ("TRIANGLE", sorted(attacks)), ("CIRCLE", sorted(defences)))
    lines = [f"{mark} {' '.join(map(vertex_text, points))}" for mark, points in marks if points]
    return "\n".join([*lines, "TEXT marked: lost in a ladder; triangle: attack; circle: defence"])


@command("miai-dead_stones")
def dead_stones(session: Session, args: list[str]) -> str:
    """The stones that are dead as the board stands."""
    return " ".join(vertex_text(p) for p in sorted(judge_status(session).dead))


@command("miai-safe_stones")
def safe_stones(session: Session, args: list[str]) -> str:
    """The stones that live whatever the opponent does, and their territory."""
    from engine.tactics.life import unconditional_life

    found = [unconditional_life(session.game.position, color) for color in (BLACK, WHITE)]
    points = {p for alive, territory in found for p in (*alive, *territory)}
    return " ".join(vertex_text(p) for p in sorted(points))


@command("miai-distances", "VERTEX")
def distances(session: Session, args: list[str]) -> str:
    """The common-fate distance of all points from one: a chain counts as a single point."""
    from engine.tactics.distance import distances_from

    p = vertex_argument(args, 0, session.size, SYNTAX_ERROR)
    if p == PASS:
        raise GtpError(SYNTAX_ERROR)
    found = distances_from(session.game.position, p)
    return label_board(session.size, {q: str(distance) for q, distance in found.items()})
