"""The report of a match: one file, with everything in it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.commands.main import main
from engine.match.report import report_page
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
    assert "komi 6.5" in page
    assert "<td>a &lt;b&gt; as Black</td><td>3</td><td>2</td><td>0</td><td>1</td>" in page
    assert "<td>a &lt;b&gt; as White</td><td>2</td><td>1</td><td>1</td><td>0</td>" in page
    assert "<a href='games/00005.sgf'>5</a>" in page
    assert not re.search(r"(src|href)=.https?:", page)


def test_an_empty_match_has_a_report_too() -> None:
    assert "0 (+0 -0)" in report_page(Terms(right(), right()), [])


def test_no_match_no_report(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["match", "--report", str(tmp_path)]) == 2
    assert "holds no match" in capsys.readouterr().err
