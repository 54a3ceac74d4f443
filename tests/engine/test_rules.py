from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine.rules import RULES, result_text, rules_named


@pytest.mark.parametrize("name", list(RULES))
def test_rules_are_found_under_any_spelling_of_their_name(name):
    for text in (name, name.upper(), name.replace("-", " "), f"  {name.replace('-', '_')} "):
        assert rules_named(text) is RULES[name]


@pytest.mark.parametrize(
    ("text", "name"), [("NZ", "new-zealand"), ("New Zealand", "new-zealand"), ("AGA", "aga")]
)
def test_names_of_game_records_are_known(text, name):
    assert rules_named(text).name == name


@pytest.mark.parametrize("text", ["", "chess", "chinese2", "japan\nese", "tromp--"])
def test_unknown_rules_are_refused_in_one_line(text):
    with pytest.raises(ValueError, match=r"^unknown rules: ") as error:
        rules_named(text)
    assert "\n" not in str(error.value)


def test_what_the_rule_sets_say():
    facts = {
        name: (rules.scoring, rules.ko, rules.suicide, rules.bonus(4))
        for name, rules in RULES.items()
    }
    assert facts == {
        "tromp-taylor": ("area", "positional", True, 0),
        "chinese": ("area", "positional", False, 4),
        "japanese": ("territory", "simple", False, 0),
        "korean": ("territory", "simple", False, 0),
        "aga": ("area", "situational", False, 3),
        "new-zealand": ("area", "situational", True, 0),
    }
    assert [name for name, rules in RULES.items() if rules.pass_stones] == ["aga"]


def test_an_even_game_has_no_bonus():
    assert all(rules.bonus(0) == 0 for rules in RULES.values())


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (3.5, "B+3.5"),
        (-1, "W+1"),
        (-0.25, "W+0.25"),
        (7 - 6.3, "B+0.7"),
        (360, "B+360"),
        (-1e6 - 0.5, "W+1000000.5"),
        (0, "0"),
        (-0.0, "0"),
    ],
)
def test_results_are_written_as_people_write_them(score, text):
    assert result_text(score) == text


def test_talking_about_rules_needs_neither_numpy_nor_numba():
    program = "import sys, engine.rules; print({'numpy', 'numba'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(engine.__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()"
