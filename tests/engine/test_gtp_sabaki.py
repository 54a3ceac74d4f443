"""The engine through Sabaki's own libraries, installed from npm into a temporary folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess

import pytest

from gtp_client import FAKE_ENGINE, REAL_ENGINE
from programs import HOME, PATIENCE
from sabaki_rules import read_analysis


@pytest.fixture(scope="module")
def node_modules(tmp_path_factory):
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node and npm are not installed")
    folder = tmp_path_factory.mktemp("sabaki")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "@sabaki/gtp@3", "@sabaki/go-board@1"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"npm could not install Sabaki's libraries: {done.stderr.strip()[-200:]}")
    return folder / "node_modules"


def talk_through_sabaki(node_modules, engine):
    done = subprocess.run(
        ["node", str(HOME / "tests" / "sabaki_client.js"), *engine],
        env={**os.environ, "NODE_PATH": str(node_modules)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(report):
    assert report["handshake"] == ["Miai", "0.15.0", "2"]
    assert report["commands"] > 80
    assert report["moves"] == 300
    assert report["longGame"]
    assert report["branches"]
    assert report["quitAfter"] < 3000  # then it would have been killed
    assert not report["killed"]
    assert re.fullmatch(r"play [A-J]\d", report["genmove"])
    assert report["tracked"] == [f"B {report['genmove'].split()[1]}"]
    for analysis in report["analysis"]:
        assert len(analysis["lines"]) >= 2
        is_kata = analysis["name"].startswith("kata")
        for line in analysis["lines"]:
            shown, owners = read_analysis(line, 19, is_kata)
            assert shown
            assert len(owners) == (361 if is_kata else 0)


def test_sabaki_talks_to_the_protocol(node_modules):
    check(talk_through_sabaki(node_modules, [*FAKE_ENGINE, "--seconds", "0.3"]))


@pytest.mark.slow
def test_sabaki_talks_to_the_engine(node_modules):
    check(talk_through_sabaki(node_modules, [*REAL_ENGINE, "--seconds", "1"]))
