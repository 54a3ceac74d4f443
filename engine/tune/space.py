"""The room in which a tuner searches: registered parameters, each with a range.

A range is around the default unless somebody gives one: a quarter to four times of it on a
logarithmic scale, or all of 0 to 1 for a chance or a share. What is off on this board size but not
on others goes from 0 to four times what it is there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.parameters import PARAMETERS, SIZES, Parameter

FACTOR = 4.0

Values = dict[str, float]  # whole numbers are floats without a fraction


class BadSpace(ValueError):
    """What somebody wants to tune can't be tuned; the text says why."""


@dataclass(frozen=True)
class Axis:
    """One parameter's range, and its default where it lies in it."""

    name: str
    low: float
    high: float
    log: bool
    whole: bool
    default: float

    def place(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return (value - low) / (high - low)

    def value(self, place: float) -> float:
        """The value that lies there."""
        if self.log:
            return self.low * (self.high / self.low) ** place
        return self.low + place * (self.high - self.low)

    def text(self, value: float) -> str:
        """A value as the command line takes it."""
        return str(round(value)) if self.whole else f"{value:.4g}"


def tunable() -> list[str]:
    """The names of all parameters that are worth a tuner's time."""
    return [name for name, parameter in PARAMETERS.items() if parameter.tunable]


def parse_space(texts: Sequence[str], size: int) -> list[Axis]:
    """The axes of NAME or NAME=LOW:HIGH, for a board size."""
    axes: dict[str, Axis] = {}
    for text in texts:
        name, equals, range_text = text.partition("=")
        parameter = PARAMETERS.get(name)
        if parameter is None:
            raise BadSpace(f"there is no parameter {name!r} (there are {', '.join(tunable())})")
        if parameter.kind not in (int, float):
            raise BadSpace(f"{name} is not a number")
        if name in axes:
            raise BadSpace(f"{name} is there twice")
        if equals and not range_text:
            raise BadSpace(f"{text!r} has no range: {name}, or {name}=LOW:HIGH")
        axes[name] = _axis(parameter, range_text, size)
    if not axes:
        raise BadSpace("nothing to tune")
    return list(axes.values())


def _axis(parameter: Parameter, range_text: str, size: int) -> Axis:
    default = float(parameter.default_for(size))
    largest = max(float(parameter.default_for(known)) for known in SIZES)
    whole = parameter.kind is int
    if range_text:
        low, high = _range(parameter, range_text)
    elif parameter.low == 0.0 and parameter.high <= 1.0 and not 0 < default <= 0.05:
        low, high = 0.0, parameter.high
    elif default > 0:
        low, high = max(default / FACTOR, parameter.low), min(default * FACTOR, parameter.high)
    elif largest > 0:
        low, high = 0.0, min(largest * FACTOR, parameter.high)
    else:
        raise BadSpace(f"{parameter.name} is 0 by default: give a range, {parameter.name}=LOW:HIGH")
    if whole:
        low, high = math.ceil(low), math.floor(high)
    if low >= high:
        raise BadSpace(f"{parameter.name} has no room between {low:g} and {high:g}")
    default = min(max(default, low), high)
    return Axis(parameter.name, low, high, low > 0 and high / low > 2, whole, default)


def _range(parameter: Parameter, text: str) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    try:
        if not colon:
            raise ValueError(f"{parameter.name}: {text!r} is not a range LOW:HIGH")
        return float(parameter.parse(low)), float(parameter.parse(high))
    except ValueError as error:
        raise BadSpace(str(error)) from None


def option_words(axes: Sequence[Axis], values: Mapping[str, float]) -> list[str]:
    """Values as options of `miai gtp`."""
    words = []
    for axis in axes:
        words += [f"--{axis.name.replace('_', '-')}", axis.text(values[axis.name])]
    return words
