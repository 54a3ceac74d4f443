"""Kinds of option values that several subcommands take, checked while the options are read."""

from __future__ import annotations

import argparse
import math

from engine.geometry import MAX_SIZE, MIN_SIZE
from engine.rules import Rules, rules_named

LONGEST = 1_000_000  # seconds; the system can't wait for any number of them
MOST_SEED = 1_000_000


def board_size(text: str) -> int:
    """A board size that the engine can play on."""
    try:
        size = int(text)
    except ValueError:
        size = 0
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size from {MIN_SIZE} to {MAX_SIZE}")
    return size


def finite_number(text: str) -> float:
    """A number other than nan and infinity."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return number


def positive_number(text: str) -> float:
    """A number above 0."""
    number = finite_number(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not above 0")
    return number


def time_span(text: str) -> float:
    """Seconds that somebody may wait for."""
    number = positive_number(text)
    if number > LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is more than {LONGEST:,} seconds")
    return number


def positive_integer(text: str) -> int:
    """1, 2, 3 and so on."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def match_seed(text: str) -> int:
    """A seed from which each game of a match makes its own, which GNU Go takes, too."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number <= MOST_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {MOST_SEED:,}")
    return number


def folder_name(text: str) -> str:
    """The name of a folder: an empty one, of a variable that is not set, would be this folder."""
    if not text:
        raise argparse.ArgumentTypeError("an empty name is no folder's")
    return text


def not_negative(text: str) -> float:
    """0 or any number above it."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of 0 or more")
    return number


def rule_set(text: str) -> Rules:
    """A rule set by its name."""
    try:
        return rules_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
