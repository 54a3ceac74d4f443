"""The house itself: what a newcomer is told is true."""

from __future__ import annotations

import re
import tomllib

import pytest

from programs import HOME

README = (HOME / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_readme_gives_one_command_to_start_and_one_to_test():
    start, test = re.findall(r"^```sh\n(.*?)\n```$", README, re.MULTILINE | re.DOTALL)
    for command in (start, test):
        assert "\n" not in command
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert start.endswith("/miai")
    assert test.endswith("/pytest")


def test_the_readmes_links_lead_somewhere():
    for link in re.findall(r"\]\((?!http)(.*?)\)", README):
        assert (HOME / link).is_file(), link


def test_running_needs_three_packages():
    names = [re.match(r"\w+", need)[0] for need in PROJECT["project"]["dependencies"]]
    assert sorted(names) == ["numba", "numpy", "sgfmill"]


@pytest.mark.parametrize("package", ["engine", "knowledge", "weights"])
def test_every_folder_of_code_is_a_package(package):
    folders = {path.parent for path in (HOME / package).rglob("*.py")}
    assert folders
    for folder in folders:
        assert (folder / "__init__.py").is_file(), folder
