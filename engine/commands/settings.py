"""Options for the settings of `engine/parameters.py`, for every subcommand that takes them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from engine.parameters import FAMILIES, PARAMETERS, Parameter, Settings, Value

# Shorter names for what everybody needs who shows the engine to a program.
_SHORT = {"engine_name": "--name"}
_METAVARS = {int: "N", float: "X", str: "TEXT"}


def add_settings(parser: argparse.ArgumentParser, families: Iterable[str] = FAMILIES) -> None:
    """An option for each setting of some families, one group for each family."""
    for family in families:
        group = parser.add_argument_group(f"{family}: {FAMILIES[family]}")
        for parameter in PARAMETERS.values():
            if parameter.family == family:
                add_setting(group, parameter)


def add_setting(group: argparse._ActionsContainer, parameter: Parameter) -> None:
    """An option of the same name; only what is given ends up in the namespace."""
    option = _SHORT.get(parameter.name, f"--{parameter.name.replace('_', '-')}")
    unit = f" {parameter.unit}" if parameter.unit else ""
    default = parameter.default_text() or "none"
    text = f"{parameter.help} (default {default}{unit})".replace("%", "%%")
    if parameter.kind is bool:
        group.add_argument(
            option,
            dest=parameter.name,
            action=argparse.BooleanOptionalAction,
            default=argparse.SUPPRESS,
            help=text,
        )
        return
    metavar = "|".join(parameter.choices) or parameter.unit or _METAVARS[parameter.kind]
    group.add_argument(
        option,
        dest=parameter.name,
        type=_checked(parameter),
        default=argparse.SUPPRESS,
        metavar=metavar,
        help=text,
    )


def _checked(parameter: Parameter) -> Callable[[str], Value]:
    def parse(text: str) -> Value:
        try:
            return parameter.parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error).partition(": ")[2]) from None

    return parse


def chosen_settings(args: argparse.Namespace) -> Settings:
    """The settings that options were given for."""
    given = vars(args)
    return Settings({name: given[name] for name in PARAMETERS if name in given})
