"""The engine in a process of its own: start, whole games, a referee, and every way to end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from gtp_client import REAL_ENGINE, Client
from programs import HOME, PATIENCE, run_program, talk

MAIN = str(HOME / "gtp_main.py")
HANDSHAKE = b"name\nversion\nprotocol_version\nlist_commands\nboardsize 9\nkomi 6.5\nclear_board\n"


FAST = ("--sims", "8", "--threads", "1", "--resign", "0")


def start(**options):
    """An engine to talk to step by step."""
    return subprocess.Popen(
        [sys.executable, MAIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        **options,
    )


def play_to_the_end(size, seed):
    """A game of the engine against itself: the moves it chose, and the score."""
    with Client("--size", str(size), "--seed", str(seed), *FAST, engine=REAL_ENGINE) as client:
        moves = []
        while moves[-2:] != ["pass", "pass"] and len(moves) < 4 * size * size:
            moves.append(client.ask(f"genmove {'bw'[len(moves) % 2]}"))
        return moves, client.ask("final_score")


# --- Playing ---------------------------------------------------------------------------------


def test_a_game_to_the_end():
    moves, score = play_to_the_end(9, 3)
    assert len(moves) > 30
    assert moves[-2:] == ["pass", "pass"]
    assert re.fullmatch(r"[BW]\+\d+\.5", score)
    assert (moves, score) == play_to_the_end(9, 3)


def test_a_client_that_sends_everything_at_once_gets_answers_in_order():
    lines = [f"{i} {'name' if i % 2 else 'genmove b'}" for i in range(1, 60)]
    replies = talk("boardsize 19", *lines, options=FAST)
    assert [int(reply[1:].split()[0]) for reply in replies[1:]] == list(range(1, 60))


def test_options_set_the_game_up():
    options = ("--size", "5", "--komi", "-1.5", "--rules", "New Zealand", "--seed", "1")
    (board,) = talk("showboard", options=options)
    assert " 5 . . . . . 5" in board
    assert "new-zealand rules, komi -1.5" in board


# --- Starting --------------------------------------------------------------------------------


def test_the_handshake_waits_for_neither_numpy_nor_numba(tmp_path):
    """With packages that block for ever in their place, the first questions are answered."""
    for package in ("numpy", "numba"):
        (tmp_path / f"{package}.py").write_text("import time\ntime.sleep(10000)\n")
    done = run_program(stdin=HANDSHAKE, environment={"PYTHONPATH": str(tmp_path)})
    assert done.code == 0
    assert done.err == ""
    assert len(done.replies) == 7
    assert all(reply.startswith("=") for reply in done.replies)


def test_without_numba_the_engine_says_so(tmp_path):
    (tmp_path / "numba.py").write_text("raise ImportError('No module named numba')")
    done = run_program(
        stdin=b"name\ngenmove b\nshowboard\nname\n", environment={"PYTHONPATH": str(tmp_path)}
    )
    assert done.code == 0
    failure = "? cannot load the kernels: No module named numba"
    assert done.replies == ["= Miai", failure, failure, "= Miai"]
    assert done.err.count("\n") == 1
    assert "README" in done.err


@pytest.mark.slow
def test_stderr_tells_about_the_first_start_only(tmp_path):
    environment = {"MIAI_CACHE_DIR": str(tmp_path / "cache")}
    first, second = (
        run_program(
            *("gtp", *FAST),
            stdin=b"boardsize 9\ngenmove b\nfinal_score\n",
            environment=environment,
        )
        for _ in range(2)
    )
    compiling, *_, ready = first.err.splitlines()
    assert compiling.startswith("Compiling the kernels")
    assert re.search(r"^Compiled in \d+\.\d s\.$", first.err, re.MULTILINE)
    assert ready == "GTP ready"
    assert second.err == "GTP ready\n"


def test_quit_does_not_wait_for_the_compiler(tmp_path):
    """Nothing but the handshake is done, so the compiler has no chance to finish."""
    environment = {"MIAI_CACHE_DIR": str(tmp_path / "cache")}
    done = run_program(stdin=b"name\nquit\n", environment=environment)
    assert done.code == 0
    assert done.replies == ["= Miai", "= "]
    assert "GTP ready" not in done.err


# --- Bad input -------------------------------------------------------------------------------


def test_bad_lines_are_answered_and_change_nothing():
    bad = [
        b"boardsize 1",
        b"boardsize 26",
        b"boardsize -5",
        b"play b Z26",
        b"play b A0",
        b"play b I1",
        b"play purple D4",
        b"play b D4",
        b"komi nan",
        b"\xff\xfe\x80 \xc3\x28",
        b"play b \xf0\x28\x8c\xbc",
        b"nonsense \x00\x00 and more",
        b"; drop table",
        b"genmove",
        b"x" * 1_000_000,
        b"play b " + b"D" * 1_000_000,
        b"9" * 1_000_000 + b" name",
    ]
    silent = [b"", b"   \t", b"\x00\x01", b"# comment", b"12", b"\x00" * 1_000_000]
    lines = [b"boardsize 9", b"play b D4", b"showboard", *silent, *bad, b"showboard"]
    done = run_program(stdin=b"\r\n".join(lines))
    assert done.code == 0
    assert "Traceback" not in done.err
    replies = done.replies
    assert replies[:2] == ["= ", "= "]
    # The million-digit id is cut with its line, so that it is an id alone and gets no reply.
    assert len(replies) == 3 + len(bad) - 1 + 1
    assert all(re.fullmatch(r"\? [a-z ]+", reply) for reply in replies[3:-1])
    assert replies[2] == replies[-1]
    assert "(X)" in replies[-1]


def test_random_bytes_never_break_it():
    noise = bytes((i * 7919 + i // 251 * 31) % 256 for i in range(100_000))
    done = run_program(stdin=b"boardsize 9\n" + noise + b"\n1 showboard\n2 quit\n")
    assert done.code == 0
    assert "Traceback" not in done.err
    assert done.replies[-1] == "=2 "
    assert done.replies[-2].startswith("=1 ")


# --- Ending ----------------------------------------------------------------------------------


def test_the_end_of_input_is_a_clean_end():
    done = run_program(stdin=b"name")
    assert (done.code, done.out) == (0, b"= Miai\n\n")
    assert run_program(stdin=b"").code == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_a_clean_end(closed):
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$1" {closed}', sys.executable, MAIN],
        input=b"name\nkata-set-param sims 8\ngenmove b\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        cwd="/",
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    if closed == "2>&-":
        assert re.fullmatch(rb"= Miai\n\n= \n\n= [A-T]\d+\n\n", done.stdout)


def test_a_client_that_stops_listening():
    process = start()
    process.stdin.write(b"name\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"= Miai\n"
    process.stdout.close()
    with process.stderr:
        for _ in range(100):
            try:
                process.stdin.write(b"list_commands\n" * 100)
                process.stdin.flush()
            except OSError:
                break
        assert process.wait(PATIENCE) == 0
        assert b"Traceback" not in process.stderr.read()


def test_an_interrupt_is_a_clean_end():
    process = start()
    process.stdin.write(b"name\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"= Miai\n"
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert b"Traceback" not in err
