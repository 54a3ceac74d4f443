"""Tables and pictures of result pages."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from knowledge import report
from knowledge.report import (
    Line,
    bar_chart,
    heat_map,
    interval_chart,
    line_chart,
    table,
    ticks,
    write_atomically,
)

SVG = "{http://www.w3.org/2000/svg}"


def parts(picture: str, tag: str) -> list[ElementTree.Element]:
    """All elements of a kind; the picture must be well-formed."""
    return ElementTree.fromstring(picture).findall(f"{SVG}{tag}")


def texts(picture: str) -> list[str]:
    return [part.text or "" for part in parts(picture, "text")]


def test_a_table_has_dashes_for_what_is_missing() -> None:
    text = table(["", "a", "b"], [["x|y", 1.0, None], ["z", 12345, float("nan")]])
    assert text.splitlines() == [
        "|  | a | b |",
        "| --- | ---: | ---: |",
        "| x\\|y | 1.00 | - |",
        "| z | 12,345 | - |",
    ]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (31.2, 34.7), (-2.9, -2.1), (5, 5), (0, 0), (0.001, 0.0042), (1, 20)]
)
def test_ticks_hold_all_values_on_round_numbers(low: float, high: float) -> None:
    found = ticks(low, high)
    steps = {round(b - a, 9) for a, b in pairwise(found)}
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 9
    assert len(steps) == 1
    digits = f"{steps.pop():e}"[:3].replace(".", "")
    assert digits in ("10", "20", "25", "50")


def test_lines_go_through_their_points() -> None:
    lines = [Line("a & b", [(1.0, 10.0), (2.0, 20.0), (3.0, float("nan"))]), Line("c", [], True)]
    picture = line_chart("<title>", "x", "y", lines)
    first, second = parts(picture, "polyline")
    places = [tuple(map(float, place.split(","))) for place in first.attrib["points"].split()]
    assert len(places) == 2
    assert places[0][0] < places[1][0]
    assert places[0][1] > places[1][1], "larger values are higher up"
    assert second.attrib["points"] == ""
    assert "stroke-dasharray" in second.attrib
    assert "stroke-dasharray" not in first.attrib
    assert {"<title>", "a & b", "c", "x", "y"} <= set(texts(picture))


def test_bars_are_as_high_as_their_values() -> None:
    picture = bar_chart("t", "x", "y", ["1", "2"], {"a": [10.0, 20.0], "b": [None, 5.0]})
    boxes = parts(picture, "rect")
    colors = [report._COLORS[0]] * 2 + [report._COLORS[1]]
    bars = [box for box in boxes if float(box.attrib["height"]) != 10.0][1:]
    assert [bar.attrib["fill"] for bar in bars] == colors
    heights = [float(bar.attrib["height"]) for bar in bars]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.2)
    assert heights[2] == pytest.approx(heights[0] / 2, abs=0.2)
    bottoms = {round(float(bar.attrib["y"]) + float(bar.attrib["height"])) for bar in bars}
    assert len(bottoms) == 1


def test_intervals_lie_around_their_dots() -> None:
    picture = interval_chart("t", "x", {"a": (-10.0, 5.0, 20.0), "<b>": (10.0, 30.0, 50.0)})
    dots = [float(dot.attrib["cx"]) for dot in parts(picture, "circle")]
    lines = [
        (float(line.attrib["x1"]), float(line.attrib["x2"]))
        for line in parts(picture, "line")
        if line.attrib["y1"] == line.attrib["y2"]
    ]
    assert len(dots) == len(lines) == 2
    for dot, (low, high) in zip(dots, lines, strict=True):
        assert dot == pytest.approx((low + high) / 2, abs=0.2)
    zero = next(
        float(x.attrib["x1"]) for x in parts(picture, "line") if x.attrib["stroke"] == "#444"
    )
    assert lines[0][0] < zero < dots[0] < lines[1][1]
    assert zero < lines[1][0]
    assert {"t", "x", "a", "<b>"} <= set(texts(picture))


def test_a_heat_map_is_green_above_and_red_below() -> None:
    picture = heat_map("t", ["r1", "r2"], ["c1", "c2"], [[4.0, -4.0], [0.0, 2.0]])
    fills = [box.attrib["fill"] for box in parts(picture, "rect")][1:]
    channels = [tuple(int(fill[i : i + 2], 16) for i in (1, 3, 5)) for fill in fills]
    most, least, none, some = channels
    assert most[1] > most[0] == most[2]
    assert least[0] > least[1] == least[2]
    assert none == (255, 255, 255)
    assert most[0] < some[0] < 255
    assert {"r1", "c2", "4", "-4"} <= set(texts(picture))
    many = heat_map("t", ["r"], [str(i) for i in range(40)], [[float(i) for i in range(40)]])
    assert len(parts(many, "rect")) == 41


def test_empty_pictures_are_pictures() -> None:
    for picture in (
        line_chart("t", "x", "y", []),
        bar_chart("t", "x", "y", [], {}),
        heat_map("t", [], [], []),
        interval_chart("t", "x", {}),
    ):
        assert "t" in texts(picture)


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.md"
    write_atomically(path, "old")

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(report.os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
