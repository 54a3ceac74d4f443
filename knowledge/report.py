"""Tables and pictures for a page of results: Markdown, and SVG from a few lines of our own.

A picture is a plain text that every browser shows: a chart of lines, bars or intervals, or a heat
map. It holds nothing that changes from run to run but the figures, so that a new run shows its
changes.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import NamedTuple

WIDTH, HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 170, 45, 60
_COLORS = ("#1b6ca8", "#d1495b", "#2e933c", "#b07d00", "#7b3fa0", "#3d8f8f", "#555555", "#c46210")
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have an OSError name the file: one about a full disk does not."""
    try:
        yield
    except OSError as error:
        if error.strerror and error.filename is None:
            error.filename = str(path)
        raise


def write_atomically(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with naming(path):
            temporary.write_text(text, encoding="utf-8")
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def cell(value: object, digits: int = 2) -> str:
    """A value as a table shows it; nothing is a dash."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.{digits}f}" if math.isfinite(value) else "-"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def table(header: Sequence[str], rows: Sequence[Sequence[object]], digits: int = 2) -> str:
    """A Markdown table: the first column is text, the others are figures."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1)]
    lines += [[cell(value, digits).replace("|", "\\|") for value in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# --- Parts of pictures --------------------------------------------------------------------


class Line(NamedTuple):
    """A line of a chart, dashed for figures that are not ours."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    place = f'x="{_number(x)}" y="{_number(y)}"'
    return f'<text {place} text-anchor="{anchor}"{more}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, color: str = "#ddd") -> str:
    places = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
    return f'<line {places} stroke="{color}"/>'


def _box(x: float, y: float, width: float, height: float, color: str) -> str:
    place = f'x="{_number(x)}" y="{_number(y)}"'
    size = f'width="{_number(width)}" height="{_number(height)}"'
    return f'<rect {place} {size} fill="{color}"/>'


def _picture(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    size = f'width="{_number(width)}" height="{_number(height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif"'
    body = [
        f'{head} font-size="12">',
        _box(0, 0, width, height, "white"),
        _text(width / 2, 24, title, more=' font-size="15"'),
        *parts,
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """Round numbers from below `low` to above `high`."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / wanted))
    step = next(power * s for s in _STEPS if power * s * wanted >= span * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, max(last, first + 1) + 1)]


def _tick_text(value: float) -> str:
    return f"{value:g}"


class _Frame:
    """Axes with their ticks, and where a value is in the picture."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.xs, self.ys = xs, ys

    def x(self, value: float) -> float:
        share = (value - self.xs[0]) / ((self.xs[-1] - self.xs[0]) or 1.0)
        return _LEFT + share * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.ys[0]) / ((self.ys[-1] - self.ys[0]) or 1.0)
        return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)

    def parts(self, x_label: str, y_label: str, marks: Mapping[float, str]) -> Iterator[str]:
        left, right, bottom = _LEFT, WIDTH - _RIGHT, HEIGHT - _BOTTOM
        for value in self.ys:
            yield _line(left, self.y(value), right, self.y(value))
            yield _text(left - 8, self.y(value) + 4, _tick_text(value), "end")
        for value, text in marks.items():
            yield _text(self.x(value), bottom + 18, text)
        yield _line(left, bottom, right, bottom, "#444")
        yield _line(left, _TOP, left, bottom, "#444")
        yield _text((left + right) / 2, HEIGHT - 18, x_label)
        middle = (_TOP + bottom) / 2
        yield _text(18, middle, y_label, more=f' transform="rotate(-90 18 {_number(middle)})"')


def _legend(names: Sequence[str]) -> Iterator[str]:
    for i, name in enumerate(names):
        y = _TOP + 8 + 18 * i
        yield _box(WIDTH - _RIGHT + 14, y - 9, 12, 10, _COLORS[i % len(_COLORS)])
        yield _text(WIDTH - _RIGHT + 32, y, name, "start")


# --- Pictures -----------------------------------------------------------------------------


def line_chart(title: str, x_label: str, y_label: str, lines: Sequence[Line]) -> str:
    """Lines through points; values that are no numbers are left out."""
    drawn = [
        Line(line.name, [p for p in line.points if math.isfinite(p[0] + p[1])], line.dashed)
        for line in lines
    ]
    points = [point for line in drawn for point in line.points] or [(0.0, 0.0)]
    xs = ticks(min(p[0] for p in points), max(p[0] for p in points))
    ys = ticks(min(p[1] for p in points), max(p[1] for p in points))
    frame = _Frame(xs, ys)
    parts = list(frame.parts(x_label, y_label, {x: _tick_text(x) for x in xs}))
    for i, line in enumerate(drawn):
        color = _COLORS[i % len(_COLORS)]
        places = [f"{_number(frame.x(x))},{_number(frame.y(y))}" for x, y in line.points]
        dashes = ' stroke-dasharray="6 4"' if line.dashed else ""
        parts.append(
            f'<polyline points="{" ".join(places)}" fill="none" stroke="{color}" '
            f'stroke-width="2"{dashes}/>'
        )
        for place in places:
            x, y = place.split(",")
            parts.append(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{color}"/>')
    parts += _legend([line.name for line in drawn])
    return _picture(title, WIDTH, HEIGHT, parts)


def dot_chart(title: str, x_label: str, y_label: str, clouds: Sequence[Line]) -> str:
    """Points without lines, a colour for each cloud."""
    points = [point for cloud in clouds for point in cloud.points] or [(0.0, 0.0)]
    xs = ticks(min(p[0] for p in points), max(p[0] for p in points))
    ys = ticks(min(p[1] for p in points), max(p[1] for p in points))
    frame = _Frame(xs, ys)
    parts = list(frame.parts(x_label, y_label, {x: _tick_text(x) for x in xs}))
    for i, cloud in enumerate(clouds):
        for x, y in cloud.points:
            place = f'cx="{_number(frame.x(x))}" cy="{_number(frame.y(y))}"'
            color = _COLORS[i % len(_COLORS)]
            parts.append(f'<circle {place} r="3.5" fill="{color}" fill-opacity="0.7"/>')
    parts += _legend([cloud.name for cloud in clouds])
    return _picture(title, WIDTH, HEIGHT, parts)


def bar_chart(
    title: str,
    x_label: str,
    y_label: str,
    groups: Sequence[str],
    bars: Mapping[str, Sequence[float | None]],
) -> str:
    """A group of bars for each name below the axis, one bar for each name in the legend."""
    heights = [value for values in bars.values() for value in values if value is not None]
    ys = ticks(min([0.0, *heights]), max([0.0, *heights]))
    frame = _Frame([0.0, float(max(len(groups), 1))], ys)
    marks = {i + 0.5: name for i, name in enumerate(groups)}
    parts = list(frame.parts(x_label, y_label, marks))
    room = 0.8 / max(len(bars), 1)
    for j, values in enumerate(bars.values()):
        for i, value in enumerate(values):
            if value is not None:
                left = frame.x(i + 0.1 + j * room)
                top, bottom = sorted((frame.y(value), frame.y(0.0)))
                width = frame.x(i + 0.1 + (j + 1) * room) - left
                parts.append(_box(left, top, width, bottom - top, _COLORS[j % len(_COLORS)]))
    parts += _legend(list(bars))
    return _picture(title, WIDTH, HEIGHT, parts)


def interval_chart(title: str, x_label: str, rows: Mapping[str, tuple[float, float, float]]) -> str:
    """A row for each name: a dot, and a line from the low to the high end of its interval."""
    values = [value for row in rows.values() for value in row]
    xs = ticks(min([0.0, *values]), max([0.0, *values]))
    left, step = 20 + 7 * max((len(name) for name in rows), default=0), 22
    scale = (WIDTH - left - 30) / (xs[-1] - xs[0])
    bottom = _TOP + step * (len(rows) + 0.5)
    parts = []
    for tick in xs:
        x = left + scale * (tick - xs[0])
        parts.append(_line(x, _TOP, x, bottom, "#ddd" if tick else "#444"))
        parts.append(_text(x, bottom + 18, _tick_text(tick)))
    for i, (name, row) in enumerate(rows.items()):
        y = _TOP + step * (i + 0.75)
        low, middle, high = (left + scale * (value - xs[0]) for value in row)
        parts.append(_text(left - 8, y + 4, name, "end"))
        parts.append(_line(low, y, high, y, _COLORS[0]))
        place = f'cx="{_number(middle)}" cy="{_number(y)}"'
        parts.append(f'<circle {place} r="3.5" fill="{_COLORS[0]}"/>')
    parts.append(_text((left + WIDTH - 30) / 2, bottom + 40, x_label))
    return _picture(title, WIDTH, bottom + 55, parts)


def _shade(value: float, most: float) -> str:
    """White for 0, green for what is above, red for what is below."""
    share = max(-1.0, min(1.0, value / most if most else 0.0))
    fading = round(255 * (1 - abs(share)))
    if share >= 0:
        return f"#{fading:02x}{round(255 - 100 * share):02x}{fading:02x}"
    return f"#{round(255 + 40 * share):02x}{fading:02x}{fading:02x}"


def heat_map(
    title: str, rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float]]
) -> str:
    """A square for each value, greener the larger it is, redder the further below 0."""
    side = 34 if len(columns) <= 16 else 14
    left = 20 + 7 * max((len(name) for name in rows), default=0)
    top = 50 + (20 if side > 20 else 7 * max((len(name) for name in columns), default=0))
    most = max((abs(value) for row in values for value in row), default=0.0)
    parts = []
    small = "" if side > 20 else ' font-size="10"'
    for i, name in enumerate(rows):
        parts.append(_text(left - 6, top + (i + 0.7) * side, name, "end", small))
    for j, name in enumerate(columns):
        x, y = left + (j + 0.5) * side, top - 6
        turned = f' transform="rotate(-90 {_number(x + 4)} {y})"'
        if side > 20:
            parts.append(_text(x, y, name))
        else:
            parts.append(_text(x + 4, y, name, "start", small + turned))
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            x, y = left + j * side, top + i * side
            parts.append(_box(x, y, side - 1, side - 1, _shade(value, most)))
            if side > 20:
                parts.append(_text(x + side / 2, y + side / 2 + 4, f"{value:.0f}"))
    width = max(left + side * len(columns) + 20, 420)
    return _picture(title, width, top + side * len(rows) + 20, parts)
