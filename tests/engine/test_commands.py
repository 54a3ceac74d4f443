"""The program `miai` and its subcommands, as a user at a terminal meets them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from engine import __version__
from engine.commands.bench import BENCHMARKS, table
from engine.commands.main import SUBCOMMANDS, main
from engine.gtp.registry import COMMANDS
from engine.parameters import PARAMETERS
from programs import HOME, run_program


def test_version():
    done = run_program("--version")
    assert (done.code, done.out.decode()) == (0, f"miai {__version__}\n")


def test_the_installed_package_tells_mistakes_in_a_line():
    words = [sys.executable, "-m", "engine.commands.main", "match", "flat:wise", "flat:light"]
    done = subprocess.run(words, cwd=HOME, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("miai match: unknown player 'flat:wise'")
    assert done.stderr.count("\n") == 1


def test_gtp_is_the_default():
    for words in ((), ("gtp",), ("--size", "9"), ("gtp", "--size", "9")):
        done = run_program(*words, stdin=b"name\nquit\n")
        assert (done.code, done.replies) == (0, ["= Miai", "= "])


def test_gtp_has_an_option_for_every_setting(capsys):
    with pytest.raises(SystemExit):
        main(["gtp", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for name, parameter in PARAMETERS.items():
        option = "--name" if name == "engine_name" else f"--{name.replace('_', '-')}"
        assert f" {option}" in text
        assert parameter.help in text
        unit = f" {parameter.unit}" if parameter.unit else ""
        assert f"(default {parameter.default_text() or 'none'}{unit})" in text
        if parameter.kind is bool:
            assert f"--no-{name.replace('_', '-')}" in text


def test_options_become_settings():
    options = ("--c-puct", "0.25", "--ponder", "--no-rave", "--sims", "7", "--name", "Mia")
    names = ("c_puct", "ponder", "rave", "sims", "level")
    done = run_program(
        "gtp", *options, stdin="".join(f"kata-get-param {name}\n" for name in names).encode()
    )
    assert done.replies == ["= 0.25", "= true", "= false", "= 7", "= 10"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--c-puct", "-1"), "argument --c-puct: '-1' is not a number from 0 to 100"),
        (("--sims", "1.5"), "argument --sims: '1.5' is not a whole number"),
        (("--knowledge", "magic"), "argument --knowledge: 'magic' is not one of fbt"),
        (("--ponder", "yes"), "unrecognized arguments: yes"),
    ],
)
def test_an_option_that_makes_no_sense(words, what):
    done = run_program("gtp", *words)
    assert done.code == 2
    assert done.out == b""
    assert done.err.count("\n") == 1
    assert what in done.err


def test_help_names_everything(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert all(name in text and summary in text for name, summary in SUBCOMMANDS.items())
    with pytest.raises(SystemExit):
        main(["gtp", "--help"])
    text = capsys.readouterr().out
    assert all(option in text for option in ("--size", "--komi", "--rules", "--name"))
    assert all(command.help in text for command in COMMANDS.values() if command.listed)
    with pytest.raises(SystemExit):
        main(["bench", "--help"])
    text = capsys.readouterr().out
    assert all(name in text for name in BENCHMARKS)
    for name in BENCHMARKS:
        with pytest.raises(SystemExit):
            main(["bench", name, "--help"])
        assert "--json" in capsys.readouterr().out


def test_help_needs_neither_numpy_nor_numba(tmp_path):
    for package in ("numpy", "numba"):
        (tmp_path / f"{package}.py").write_text("raise SystemExit('imported')")
    for words in (["--help"], ["gtp", "--help"], ["bench", "startup", "--help"], ["--version"]):
        done = run_program(*words, environment={"PYTHONPATH": str(tmp_path)})
        assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nonsense"], "nonsense"),
        (["--nonsense"], "--nonsense"),
        (["gtp", "surplus"], "surplus"),
        (["gtp", "--size", "1"], "'1' is not a size from 2 to 25"),
        (["gtp", "--size", "26"], "'26' is not a size from 2 to 25"),
        (["gtp", "--size", "big"], "'big' is not a size from 2 to 25"),
        (["gtp", "--komi", "nan"], "'nan' is not a number"),
        (["gtp", "--komi", "six"], "'six' is not a number"),
        (["gtp", "--rules", "ludo"], "unknown rules: ludo"),
        (["gtp", "--seed", "x"], "--seed"),
        (["gtp", "--seed"], "--seed"),
        (["gtp", "--si", "9"], "--si"),
        (["bench"], "NAME"),
        (["bench", "nonsense"], "nonsense"),
        (["bench", "startup", "--repeat", "0"], "'0' is not a whole number above 0"),
        (["bench", "playouts", "--seconds", "0"], "--seconds"),
        (["bench", "playouts", "--seconds", "nan"], "--seconds"),
        (["bench", "playouts", "--threads", "0"], "--threads"),
        (["bench", "playouts", "--size", "26"], "--size"),
        (["warmup", "--nonsense"], "--nonsense"),
    ],
)
def test_a_mistake_is_answered_in_one_line(words, complaint):
    done = run_program(*words)
    assert done.code == 2
    assert done.out == b""
    assert done.err.count("\n") == 1
    assert complaint in done.err
    assert "--help" in done.err


def test_a_missing_package_is_named_in_one_line(tmp_path):
    missing = "raise ModuleNotFoundError('No module named numba', name='numba')"
    (tmp_path / "numba.py").write_text(missing)
    done = run_program("warmup", environment={"PYTHONPATH": str(tmp_path)})
    assert done.code == 1
    assert done.out == b""
    assert done.err.count("\n") == 1
    assert done.err.startswith("miai: No module named numba.")


@pytest.mark.slow
def test_warmup(tmp_path):
    environment = {"MIAI_CACHE_DIR": str(tmp_path)}
    first, second = (run_program("warmup", environment=environment) for _ in range(2))
    assert first.code == second.code == 0
    assert first.out.startswith(b"Compiled ")
    assert b"were compiled already" in second.out
    assert str(tmp_path).encode() in first.out
    assert second.err == ""


@pytest.mark.slow
def test_bench_startup():
    done = run_program("bench", "startup", "--repeat", "1", "--json")
    assert done.code == 0, done.err
    figures = json.loads(done.out)
    assert set(figures) == {
        "handshake_seconds",
        "handshake_seconds_cold",
        "handshake_seconds_warm",
        "first_move_seconds_warm",
        "first_move_seconds_cold",
    }
    assert all(value > 0 for value in figures.values())
    assert figures["handshake_seconds"] == max(
        figures["handshake_seconds_cold"], figures["handshake_seconds_warm"]
    )


def test_bench_playouts():
    done = run_program("bench", "playouts", "--size", "9", "--seconds", "0.1", "--json")
    assert done.code == 0, done.err
    figures = json.loads(done.out)
    assert {"playouts_per_second", "ns_per_move", "moves_per_playout"} <= set(figures)
    assert 100 < figures["moves_per_playout"] < 120


def test_figures_for_people():
    assert table({"a_b": 1.5, "size": 9}) == "a b   1.5\nsize  9"
