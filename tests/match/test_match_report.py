"""The report of a match: one file, with everything in it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.commands.main import main
from engine.match.players import parse_player
from engine.match.report import report_page, write_report
from engine.match.results import Results
from engine.match.terms import Terms
from match.fakes import fake, line, right


def test_a_page_holds_all_figures_and_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    terms = Terms(fake("a <b>"), right(), komi=6.5)
    results = Results(terms, tmp_path)
    for number, winner in enumerate(["first", "first", "second", "draw", "first"]):
        results.add(line(number, winner))
    assert main(["match", "--report", str(tmp_path)]) == 0
    assert "5 games (+3 =1 -1): 70.0%" in capsys.readouterr().out
    page = (tmp_path / "report.html").read_text()
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) == 4
    for picture in pictures:
        ElementTree.fromstring(picture)
    assert "<b>" not in page
    assert "B+&lt;1&gt;" in page
    assert "1½ and 2 points</td><td>0, 1, 0, 0, 1</td>" in page
    assert "komi 6.5" in page
    assert "<td>a &lt;b&gt; as Black</td><td>3</td><td>2</td><td>0</td><td>1</td>" in page
    assert "<td>a &lt;b&gt; as White</td><td>2</td><td>1</td><td>1</td><td>0</td>" in page
    assert "<a href='games/00005.sgf'>5</a>" in page
    assert not re.search(r"(src|href)=.https?:", page)


def test_an_empty_match_has_a_report_too() -> None:
    assert "0 (+0 -0)" in report_page(Terms(right(), right()), [])


def test_players_of_one_name_are_told_apart() -> None:
    page = report_page(Terms(fake("miai"), fake("miai")), [line(0), line(1), line(2, "second")])
    assert "<h1>miai (first) against miai (second)</h1>" in page
    chart = next(part for part in page.split("<svg") if "Wins by colour" in part)
    assert chart.count("miai (first)") == chart.count("miai (second)") == 1


def test_a_name_that_is_no_text_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    Results(Terms(fake("caf\udce9"), right()), tmp_path).add(line(0, reason="\ud800!"))
    assert parse_player(f"{sys.executable} caf\udce9.py").name == f"{sys.executable} caf?.py"
    assert "caf? against right" in write_report(tmp_path).read_text(encoding="utf-8")


def test_no_match_no_report(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["match", "--report", str(tmp_path)]) == 2
    assert "holds no match" in capsys.readouterr().err
