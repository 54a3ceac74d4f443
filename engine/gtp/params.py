"""Settings that a client may change while the engine runs: the one registry, in two dialects.

GoGui gets a dialog for each family of `engine/parameters.py`, and one for the rules. KataGo's
commands name the same parameters one by one.
"""

from __future__ import annotations

import json

from engine.gtp.arguments import argument, quoted
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.gtp.setup import UNKNOWN_RULES
from engine.parameters import FAMILIES, PARAMETERS, value_text
from engine.rules import RULES, rules_named


def _set(session: Session, name: str, args: list[str]) -> str:
    """Set a parameter. GoGui sends a text as it is: it may hold spaces, or be no word at all."""
    words, parameter = quoted(args), PARAMETERS[name]
    is_text = parameter.kind is str and not parameter.choices
    value = " ".join(words) if is_text else argument(words, 0)
    try:
        session.settings.set(name, value)
    except ValueError as error:
        raise GtpError(str(error)) from None
    return ""


# --- GoGui -----------------------------------------------------------------------------------


def _dialog_line(session: Session, name: str) -> str:
    parameter = PARAMETERS[name]
    value = session.settings.get(name, session.size)
    if parameter.kind is bool:
        return f"[bool] {name} {int(bool(value))}"
    kind = f"list/{'/'.join(parameter.choices)}" if parameter.choices else "string"
    return f"[{kind}] {name} {value_text(value)}"


def _dialog(session: Session, family: str, args: list[str]) -> str:
    names = [name for name, parameter in PARAMETERS.items() if parameter.family == family]
    if not args:
        return "\n".join(_dialog_line(session, name) for name in names)
    if args[0] not in names:
        raise GtpError(f"unknown parameter {args[0]!r}")
    return _set(session, args[0], args[1:])


def _register_dialog(family: str, meaning: str) -> None:
    def show_or_set(session: Session, args: list[str]) -> str:
        return _dialog(session, family, args)

    show_or_set.__doc__ = f"Show or change settings: {meaning}."
    command(f"gogui-param_{family}", "[KEY VALUE]")(show_or_set)


for _family, _meaning in FAMILIES.items():
    _register_dialog(_family, _meaning)


@command("gogui-param_rules", "[KEY VALUE]")
def gogui_param_rules(session: Session, args: list[str]) -> str:
    """Show or change the rules of the game."""
    if not args:
        names = dict.fromkeys([*RULES, session.rules.name])
        return f"[list/{'/'.join(names)}] rules {session.rules.name}"
    if args[0] != "rules":
        raise GtpError(f"unknown parameter {args[0]!r}")
    name = argument(args, 1)
    if name != session.rules.name:
        try:
            session.set_rules(rules_named(name))
        except ValueError:
            raise GtpError(UNKNOWN_RULES) from None
    return ""


# --- KataGo's ----------------------------------------------------------------------------------


def _known(args: list[str]) -> str:
    name = argument(args, 0)
    if name not in PARAMETERS:
        raise GtpError(f"unknown parameter {name!r}")
    return name


@command("kata-list-params")
def kata_list_params(session: Session, args: list[str]) -> str:
    """The names of all settings."""
    return " ".join(PARAMETERS)


@command("kata-get-param", "NAME")
def kata_get_param(session: Session, args: list[str]) -> str:
    """The value of a setting."""
    return value_text(session.settings.get(_known(args), session.size))


@command("kata-get-params")
def kata_get_params(session: Session, args: list[str]) -> str:
    """The values of all settings as JSON."""
    values = {name: session.settings.get(name, session.size) for name in PARAMETERS}
    return json.dumps(values, separators=(",", ":"))


@command("kata-set-param", "NAME VALUE")
def kata_set_param(session: Session, args: list[str]) -> str:
    """Change a setting."""
    return _set(session, _known(args), args[1:])
