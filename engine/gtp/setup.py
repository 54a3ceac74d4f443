"""Setting up: the size, the komi, the rules, handicap stones, any position."""

from __future__ import annotations

import json
from contextlib import suppress
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
# What KataGo calls the rules and their keys, and we call otherwise.
_SAME_RULES = {
    **dict.fromkeys(("bga", "french"), "aga"),
    **dict.fromkeys(("chinese-ogs", "chineseogs", "chinese-kgs", "chinesekgs"), "chinese"),
    "newzealand": "new-zealand",
    "tromptaylor": "tromp-taylor",
}
_SAME_KEYS = {"score": "scoring"}
_KO = {"SIMPLE": "simple", "POSITIONAL": "positional", "SITUATIONAL": "situational"}
_SCORING = {"AREA": "area", "TERRITORY": "territory"}
_TAX = {"area": "NONE", "territory": "SEKI"}
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
    argument(args, 0)
    session.set_rules(_read_rules(args, session.rules))
    return ""


@command("kata-set-rule", "KEY VALUE")
def kata_set_rule(session: Session, args: list[str]) -> str:
    """Change a single rule: ko, scoring, suicide or whiteHandicapBonus."""
    key, value = argument(args, 0), argument(args, 1)
    truths = {"true": True, "false": False}
    change = {key: truths.get(value.lower(), value.upper())}
    session.set_rules(_changed_rules(change, session.rules))
    return ""


def _rules_as_dict(rules: Rules) -> dict[str, Any]:
    bonus = {ours: theirs for theirs, ours in _BONUS.items()}[rules.handicap_bonus]
    return {
        "hasButton": False,
        "ko": rules.ko.upper(),
        "scoring": rules.scoring.upper(),
        "suicide": rules.suicide,
        "tax": _TAX[rules.scoring],
        "whiteHandicapBonus": bonus,
    }


def _read_rules(words: list[str], now: Rules) -> Rules:
    text = " ".join(words)
    if text.startswith("{"):
        try:
            given = json.loads(text)
        except (ValueError, RecursionError):
            raise GtpError(SYNTAX_ERROR) from None
        return _changed_rules(given, now)
    # The first word alone: what follows may be surplus.
    for spelling in (text, words[0]):
        name = "-".join(spelling.lower().replace("_", " ").replace("-", " ").split())
        with suppress(ValueError):
            return rules_named(_SAME_RULES.get(name, name))
    raise GtpError(UNKNOWN_RULES)


def _changed_rules(given: dict[str, Any], now: Rules) -> Rules:
    """The rules with some changes: named ones if they fit, or rules of their own.

    What we can't play by is refused, and so is what we don't know: a client that is told yes
    would count by other rules than we do.
    """
    given = {_SAME_KEYS.get(key, key): value for key, value in given.items()}
    known = _rules_as_dict(now)
    # Whether dead stones come off by agreement goes with the name of the rules.
    if not given.keys() <= {*known, "friendlyPassOk"}:
        raise GtpError(UNKNOWN_RULES)
    wanted = {**known, **given}
    try:
        changes: dict[str, Any] = {
            "ko": _KO[wanted["ko"]],
            "scoring": _SCORING[wanted["scoring"]],
            "suicide": {True: True, False: False}[wanted["suicide"]],
            "handicap_bonus": _BONUS[str(wanted["whiteHandicapBonus"])],
        }
    except (KeyError, TypeError):
        raise GtpError(UNKNOWN_RULES) from None
    tax = _TAX[changes["scoring"]]
    if wanted["hasButton"] is not False or given.get("tax", tax) != tax:
        raise GtpError(UNKNOWN_RULES)
    for rules in (now, *RULES.values()):
        if all(getattr(rules, key) == value for key, value in changes.items()):
            return rules
    return replace(now, name="other", pass_stones=False, **changes)
