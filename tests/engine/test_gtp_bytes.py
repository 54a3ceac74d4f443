"""The same awkward bytes for GNU Go and for us: the replies must be the same, byte for byte."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from gtp_client import FAKE_ENGINE
from programs import PATIENCE

LINES = [
    *(b"protocol_version", b"1 protocol_version", b"7protocol_version"),
    *(
        b"  protocol_version  ",
        b"\tprotocol_version",
        b"3\tprotocol_version",
        b"protocol_version\r",
    ),
    *(b"", b"   ", b"\t", b"\r", b"# only a comment", b"   # and another"),
    *(b"protocol_version # why not", b"9 protocol_version#glued", b"\x01\x02protocol_version\x03"),
    *(
        b"proto\x07col_version",
        b"known_command play",
        b"known_command nonsense",
        b"5 known_command",
    ),
    *(b"nonsense", b"5 nonsense", b"PROTOCOL_VERSION", b"nonsense b d4", b"6 7 protocol_version"),
    *(b"boardsize 9", b"clear_board", b"komi 6.5", b"8 komi 0", b"komi -3.5"),
    *(
        b"play b d4",
        b"play B D4",
        b"play w D4",
        b"12 play white d5",
        b"PLAY b e5",
        b"play BLACK E5",
    ),
    *(b"play b pass", b"play w PASS", b"play w Pass", b"play b j9", b"play b\tA1"),
    *(b"undo", b"undo", b"3 undo", b"quitter", b"play w c3 # comment", b"play b c4\r"),
    *(b"boardsize 5", b"clear_board", b"play b a1", b"play w a2", b"play w b1", b"play b a1"),
    *(b"boardsize 9", b"clear_board", b"fixed_handicap 2", b"fixed_handicap 2"),
    *(b"clear_board", b"time_settings 600 30 25", b"time_left b 500 0", b"clear_board"),
    *(b"set_free_handicap C3 G7", b"clear_board", b"get_komi", b"known_command known_command"),
    *(b"  ", b"11 protocol_version", b"final_status_list x y", b"clear_board"),
]
# GNU Go words these failures in its own way; ours are the guide's. Both must fail.
OTHER_WORDS = {b"fixed_handicap 2", b"final_status_list x y", b"set_free_handicap C3 G7"}


def replies(data: bytes) -> list[bytes]:
    assert data.endswith(b"\n\n")
    return data.split(b"\n\n")[:-1]


@pytest.fixture(scope="module")
def both():
    """What GNU Go and we answer to all lines, from the same input."""
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
    program = shutil.which("gnugo", path=path)
    if program is None:
        pytest.skip("GNU Go is not installed (Debian's package is named gnugo)")
    script = b"".join(line + b"\n" for line in LINES) + b"quit\n"
    theirs = subprocess.run(
        [program, "--mode", "gtp"], input=script, capture_output=True, timeout=120, check=True
    )
    ours = subprocess.run(
        FAKE_ENGINE, input=script, capture_output=True, timeout=PATIENCE, check=True
    )
    return replies(theirs.stdout), replies(ours.stdout)


def expects_reply(line: bytes) -> bool:
    return bool(line.partition(b"#")[0].strip())


def test_the_same_lines_get_replies(both):
    theirs, ours = both
    assert len(theirs) == len(ours) == sum(map(expects_reply, LINES)) + 1


def test_the_replies_are_the_same(both):
    different = []
    for line, theirs, ours in zip(filter(expects_reply, LINES), *both, strict=False):
        if line in OTHER_WORDS:
            same = theirs[:1] == ours[:1]
        else:
            same = theirs == ours
        if not same:
            different.append((line, theirs, ours))
    assert different == []
