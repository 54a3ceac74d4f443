"""Setting up: the size, the komi, the rules, handicap stones, any position."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from engine.geometry import BLACK, MAX_SIZE, MIN_SIZE, PASS, WHITE
from engine.gtp.arguments import (
    SYNTAX_ERROR,
    argument,
    color_argument,
    integer_argument,
    number_argument,
    vertex_argument,
)
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.handicap import fixed_points, free_points
from engine.rules import RULES, Rules, rules_named
from engine.vertex import vertex_text

UNACCEPTABLE_SIZE = "unacceptable size"
BAD_LIST = "bad vertex list"
UNKNOWN_RULES = "unknown rules"


# --- The board -------------------------------------------------------------------------------


@command("boardsize", "SIZE")
def boardsize(session: Session, args: list[str]) -> str:
    """Start again on an empty board of a size from 2 to 25; komi and time settings stay."""
    size = integer_argument(args, 0)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise GtpError(UNACCEPTABLE_SIZE)
    session.new_game(size)
    return ""


@command("rectangular_boardsize", "WIDTH HEIGHT")
def rectangular_boardsize(session: Session, args: list[str]) -> str:
    """The same for a board that must be a square."""
    if integer_argument(args, 0) != integer_argument(args, 1):
        raise GtpError(UNACCEPTABLE_SIZE)
    return boardsize(session, args)


@command("clear_board")
def clear_board(session: Session, args: list[str]) -> str:
    """Start again on an empty board; the size, the komi and the time settings stay."""
    session.new_game()
    return ""


@command("komi", "NUMBER")
def komi(session: Session, args: list[str]) -> str:
    """Set the points that White gets for moving second."""
    session.set_komi(number_argument(args, 0))
    return ""


@command("get_komi")
def get_komi(session: Session, args: list[str]) -> str:
    """The komi."""
    return f"{session.komi:g}"


# --- Handicap --------------------------------------------------------------------------------


def _place(session: Session, points: list[int], if_bad: str) -> str:
    if session.game.position.stones(BLACK) or session.game.position.stones(WHITE):
        raise GtpError("board not empty")
    session.stop_pondering()
    try:
        session.game.place_handicap(points)
    except ValueError:
        raise GtpError(if_bad) from None
    return " ".join(vertex_text(p) for p in points)


@command("fixed_handicap", "NUMBER")
def fixed_handicap(session: Session, args: list[str]) -> str:
    """Put handicap stones on the star points, and say which they are."""
    try:
        points = fixed_points(session.size, integer_argument(args, 0))
    except ValueError as error:
        raise GtpError(str(error)) from None
    return _place(session, points, SYNTAX_ERROR)


@command("place_free_handicap", "NUMBER")
def place_free_handicap(session: Session, args: list[str]) -> str:
    """Put exactly so many handicap stones where the engine likes them, and say where."""
    try:
        points = free_points(session.size, integer_argument(args, 0))
    except ValueError as error:
        raise GtpError(str(error)) from None
    return _place(session, points, SYNTAX_ERROR)


@command("set_free_handicap", "VERTEX VERTEX ...")
def set_free_handicap(session: Session, args: list[str]) -> str:
    """Put handicap stones on these points, at least two."""
    try:
        points = [vertex_argument(args, i, session.size) for i in range(len(args))]
    except GtpError:
        raise GtpError(BAD_LIST) from None
    if len(points) < 2 or PASS in points or len(set(points)) != len(points):
        raise GtpError(BAD_LIST)
    _place(session, points, BAD_LIST)
    return ""


# --- Positions -------------------------------------------------------------------------------


@command("gogui-setup", "COLOR VERTEX ...")
def gogui_setup(session: Session, args: list[str]) -> str:
    """Put stones on the board that were not played, all of them or none."""
    stones: dict[int, list[int]] = {BLACK: [], WHITE: []}
    for i in range(0, len(args), 2):
        color = color_argument(args, i)
        p = vertex_argument(args, i + 1, session.size)
        if p == PASS:
            raise GtpError(SYNTAX_ERROR)
        stones[color].append(p)
    session.stop_pondering()
    try:
        session.game.set_up(stones[BLACK], stones[WHITE])
    except ValueError as error:
        raise GtpError(f"impossible position: {error}") from None
    return ""


@command("gogui-setup_player", "COLOR")
def gogui_setup_player(session: Session, args: list[str]) -> str:
    """Say whose turn it is after a setup."""
    color = color_argument(args, 0)
    session.stop_pondering()
    session.game.set_up(to_move=color)
    return ""


# --- Rules -----------------------------------------------------------------------------------

_KGS_RULES = ("chinese", "aga", "japanese", "new_zealand")
_SAME_RULES = {"bga": "aga", "chinese-ogs": "chinese", "chinese-kgs": "chinese"}
_KO = {"SIMPLE": "simple", "POSITIONAL": "positional", "SITUATIONAL": "situational"}
_SCORING = {"AREA": "area", "TERRITORY": "territory"}
_BONUS = {"0": "none", "N": "n", "N-1": "n-1"}


@command("kgs-rules", "NAME")
def kgs_rules(session: Session, args: list[str]) -> str:
    """Play by chinese, aga, japanese or new_zealand rules."""
    name = argument(args, 0).lower()
    if name not in _KGS_RULES:
        raise GtpError(UNKNOWN_RULES)
    session.set_rules(rules_named(name))
    return ""


@command("kata-get-rules")
def kata_get_rules(session: Session, args: list[str]) -> str:
    """The rules as JSON."""
    return json.dumps(_rules_as_dict(session.rules), separators=(",", ":"))


@command("kata-set-rules", "RULES")
def kata_set_rules(session: Session, args: list[str]) -> str:
    """Play by other rules: a name, or JSON as kata-get-rules writes it."""
    session.set_rules(_read_rules(argument(args, 0), " ".join(args), session.rules))
    return ""


@command("kata-set-rule", "KEY VALUE")
def kata_set_rule(session: Session, args: list[str]) -> str:
    """Change a single rule: ko, scoring, suicide or whiteHandicapBonus."""
    key, value = argument(args, 0), argument(args, 1)
    known = _rules_as_dict(session.rules)
    if key not in known:
        raise GtpError(UNKNOWN_RULES)
    truths = {"true": True, "false": False}
    changed = {**known, key: truths.get(value.lower(), value)}
    session.set_rules(_rules_from_dict(changed, session.rules))
    return ""


def _rules_as_dict(rules: Rules) -> dict[str, Any]:
    bonus = {ours: theirs for theirs, ours in _BONUS.items()}[rules.handicap_bonus]
    return {
        "hasButton": False,
        "ko": rules.ko.upper(),
        "scoring": rules.scoring.upper(),
        "suicide": rules.suicide,
        "tax": "NONE" if rules.scoring == "area" else "SEKI",
        "whiteHandicapBonus": bonus,
    }


def _read_rules(word: str, text: str, now: Rules) -> Rules:
    if text.startswith("{"):
        try:
            given = json.loads(text)
        except (ValueError, RecursionError):
            raise GtpError(SYNTAX_ERROR) from None
        return _rules_from_dict({**_rules_as_dict(now), **given}, now)
    name = word.lower().replace("_", "-")
    try:
        return rules_named(_SAME_RULES.get(name, name))
    except ValueError:
        raise GtpError(UNKNOWN_RULES) from None


def _rules_from_dict(given: dict[str, Any], now: Rules) -> Rules:
    """The named rules that fit, or rules of their own; what we can't play by is refused."""
    try:
        changes: dict[str, Any] = {
            "ko": _KO[given["ko"]],
            "scoring": _SCORING[given["scoring"]],
            "suicide": {True: True, False: False}[given["suicide"]],
            "handicap_bonus": _BONUS[str(given["whiteHandicapBonus"])],
        }
    except (KeyError, TypeError):
        raise GtpError(UNKNOWN_RULES) from None
    if given.get("hasButton") not in (None, False) or given.get("tax") == "ALL":
        raise GtpError(UNKNOWN_RULES)
    for rules in (now, *RULES.values()):
        if all(getattr(rules, key) == value for key, value in changes.items()):
            return rules
    return replace(now, name="other", pass_stones=False, **changes)
