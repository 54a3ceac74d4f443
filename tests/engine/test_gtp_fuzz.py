"""Any bytes at all: one reply for each command, nothing breaks, and the game is what it should be.

The lines are commands, commands with bytes changed, and noise, sent in pieces that don't end
where lines do. A twin with a board of its own says what each command should do to the game.
"""

from __future__ import annotations

import random
import re
import threading

import pytest

from gtp_client import FAKE_ENGINE, REAL_ENGINE, Client
from naive.board import NaiveGame

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
CHUNK = 4096
MOST_GROWTH = 128  # MB: lines that wait take 16 of them
ERROR = re.compile(r"[a-zA-Z][ -~]*")
# What the twin does not follow, or what ends the talk, is not sent.
NOT_SENT = {
    *("quit", "loadsgf", "printsgf", "gogui-setup", "gogui-setup_player", "kgs-rules"),
    *("kata-set-rules", "kata-set-rule", "gogui-param_rules", "kata-set-param", "cgos-gameover"),
}
HARMLESS = [
    *("name", "version", "list_commands", "known_command play", "showboard", "get_komi", "stop"),
    *("final_score", "final_status_list dead", "time_settings 0 0 0", "time_left b 10 5"),
    *("kgs-time_settings byoyomi 60 10 3", "kata-time_settings none", "kata-get-rules", "cputime"),
    *("kgs-chat game somebody why?", "kata-list-params", "kata-get-param sims", "move_history"),
    *("lz-analyze b 5", "kata-analyze 5 ownership true", "lz-analyze interval 10", "last_move"),
    *(
        "gogui-analyze_commands",
        "gogui-param_search",
        "reg_genmove w",
        "# interrupt",
        "gogui-title",
    ),
    *("miai-visits", "miai-owners", "miai-tree", "kgs-game_over", "clear_cache", "printsgfx"),
]


class Twin:
    """The game as it should be after each command; it understands lines in its own way."""

    def __init__(self):
        self.size, self.komi = 9, 7.5
        self.start()

    def start(self, handicap=()):
        self.game = NaiveGame(self.size, "positional", suicide=False)
        self.moves = []
        if handicap:
            for at in handicap:
                self.game.grid[at] = 1
            self.game.to_move = 2
            # A handicap is one step in the history, as are the stones it puts down.
            self.game.history.append((self.game.grid.tobytes(), 2))

    def vertex(self, text):
        """A point as row and column, None for a pass, or an error."""
        if text.lower() == "pass":
            return None
        match = re.fullmatch(r"([A-HJ-Za-hj-z])([0-9]{1,2})", text)
        if not match:
            raise SyntaxError
        row, column = int(match[2]) - 1, LETTERS.index(match[1].upper())
        if not (0 <= row < self.size and column < self.size):
            raise ValueError
        return row, column

    def take(self, name, words, reply):
        """Carry out what changes the game; returns whether it should have succeeded."""
        if name == "boardsize":
            if not words or not re.fullmatch(r"[+-]?[0-9]{1,18}", words[0]):
                return False
            if not 2 <= int(words[0]) <= 25:
                return False
            self.size = int(words[0])
            self.start()
        elif name == "clear_board":
            self.start()
        elif name == "komi":
            number = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
            if not words or not re.fullmatch(number, words[0]) or abs(float(words[0])) > 1e300:
                return False
            self.komi = float(words[0])
        elif name == "play":
            return self.play(words[:2])
        elif name in ("undo", "gg-undo"):
            return self.undo(name, words)
        elif name == "genmove":
            if not words or words[0].lower() not in ("b", "w", "black", "white"):
                return False
            return reply[2:] == "resign" or self.play([words[0], reply[2:]])
        else:
            return None
        return True

    def play(self, words):
        if len(words) < 2 or words[0].lower() not in ("b", "w", "black", "white"):
            return False
        color = 1 if words[0].lower().startswith("b") else 2
        try:
            at = self.vertex(words[1])
        except (SyntaxError, ValueError):
            return False
        if self.game.why_illegal(color, at):
            return False
        self.game.play(color, at)
        self.moves.append((color, at))
        return True

    def undo(self, name, words):
        count = 1
        if name == "gg-undo" and words:
            if not re.fullmatch(r"[+-]?[0-9]{1,18}", words[0]) or int(words[0]) < 0:
                return False
            count = int(words[0])
        if count > len(self.moves):
            return False
        for _ in range(count):
            self.game.undo()
            self.moves.pop()
        return True

    def history(self):
        """What move_history should say."""
        texts = []
        for color, at in reversed(self.moves):
            place = "pass" if at is None else f"{LETTERS[at[1]]}{at[0] + 1}"
            texts.append(f"{'black' if color == 1 else 'white'} {place}")
        return "\n".join(texts)

    def stones(self):
        return [int((self.game.grid == color).sum()) for color in (1, 2)]


def understood(line: bytes):
    """The id, name and words of a line in our own reading of GTP, or None for no command."""
    kept = bytes(b for b in line.split(b"#")[0] if (b >= 32 and b != 127) or b == 9)
    words = [w.decode("utf-8", "replace") for w in re.split(rb"[ \t]+", kept) if w]
    if not words:
        return None
    number = re.match(r"[0-9]*", words[0])[0]
    rest = words[0][len(number) :]
    words = ([rest] if rest else []) + words[1:]
    return (number, words[0], words[1:]) if words else None


def random_line(rng) -> bytes:
    """A command that changes the game, mostly."""
    vertex = f"{rng.choice('ABCDEFGHJKLMN')}{rng.randint(1, 13)}"
    kind = rng.random()
    if kind < 0.55:
        text = f"play {rng.choice('bw')} {vertex if rng.random() < 0.97 else 'pass'}"
    elif kind < 0.6:
        text = f"genmove {rng.choice(['b', 'w', 'BLACK'])}"
    elif kind < 0.68:
        text = rng.choice(["undo", "undo 0", "gg-undo", f"gg-undo {rng.randint(0, 5)}"])
    elif kind < 0.7:
        text = rng.choice(
            ["clear_board", f"boardsize {rng.randint(1, 13)}", "komi 5.5", "komi nan"]
        )
    else:
        text = rng.choice(HARMLESS)
    if rng.random() < 0.3:
        text = f"{rng.choice([1, 7, 42, 10**6, 10**30])} {text}"
    return text.encode()


def mutated(rng, line: bytes) -> bytes:
    data = bytearray(line)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(data) + 1)
        change = rng.randrange(4)
        if change == 0:
            data.insert(place, rng.randrange(256))
        elif change == 1 and data:
            del data[place % len(data)]
        elif change == 2 and data:
            data[place % len(data)] = rng.randrange(256)
        else:
            data[place:place] = rng.choice([b"\x00", b" ", b"\t", b"\r", b"#", b"9" * 40, b"\xff"])
    return bytes(data).replace(b"\n", b"")


def some_lines(rng, count):
    lines = []
    while len(lines) < count:
        line = random_line(rng)
        kind = rng.random()
        if kind < 0.25:
            line = mutated(rng, line)
        elif kind < 0.32:
            line = rng.randbytes(rng.randint(0, 60)).replace(b"\n", b"")
        elif kind < 0.3203:
            line = rng.choice([b"x" * 10**6, b"\x00" * 10**6, b"play b " + b"D4 " * 300_000])
        known = understood(line)
        if known and (known[1] in NOT_SENT or (known[1].startswith("gogui-param") and known[2])):
            continue
        lines.append(line + rng.choice([b"\n", b"\n", b"\r\n"]))
    return lines


def send_in_pieces(client, data, rng):
    """Pieces end anywhere, in the middle of lines too."""
    i = 0
    while i < len(data):
        step = rng.randint(1, CHUNK)
        client.send_bytes(data[i : i + step])
        i += step


def peak_memory(pid):
    """The most memory a process has had, in MB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
    return int(found[1]) / 1024


def fuzz(count, seed, engine=FAKE_ENGINE):
    rng = random.Random(seed)
    lines = some_lines(rng, count)
    lines[-1:] = [b"\n", b"999 move_history\n"]
    twin = Twin()
    options = ("--size", "9", "--sims", "1", "--seed", "1", "--memory", "16", "--threads", "1")
    with Client(*options, engine=engine) as client:
        # What they load stays in memory, such as the models for small and large boards.
        once = (*HARMLESS, "reg_genmove b", "explain")
        for line in (*once, "boardsize 13", *once, "boardsize 9"):
            client.send(line, "name")
            check(client, twin, line.encode())
            client.reply()
        before = peak_memory(client.process.pid)
        writer = threading.Thread(
            target=send_in_pieces, args=(client, b"".join(lines), random.Random(seed))
        )
        writer.start()
        for line in lines:
            check(client, twin, line)
        writer.join()
        grown = peak_memory(client.process.pid) - before
        code, _ = client.leave(lambda: client.send("quit"))
    assert code == 0
    assert not [text for text in client.errors if "Traceback" in text], client.errors[:20]
    assert grown < MOST_GROWTH


def check(client, twin, line):
    """Read the reply to a line, if it must have one, and compare it with the twin."""
    known = understood(line.rstrip(b"\r\n"))
    if known is None or (len(line) > 1 << 18 and known[1] == ""):
        return
    number, name, words = known
    reply = client.reply()
    head = re.match(r"([=?])([0-9]*)( |$|\n)", reply)
    assert head, (line[:200], reply[:200])
    assert head[2] == number, (line[:200], reply[:200])
    if head[1] == "?":
        text = reply.partition(" ")[2]
        assert ERROR.fullmatch(text), reply
        assert "internal error" not in text, (line, reply)
    if len(line) > 1 << 18:
        assert head[1] == "?"
        return
    ok = twin.take(name, words, f"= {reply.partition(' ')[2]}")
    if ok is not None:
        assert ok == (head[1] == "="), (line, reply, twin.history())
    if name == "move_history":
        assert reply.partition(" ")[2] == twin.history()
    elif name == "showboard":
        rows = "".join(text for text in reply.splitlines() if re.match(r"[ 1-9]\d[ (]", text))
        assert [rows.count("X"), rows.count("O")] == twin.stones()
        assert f"komi {twin.komi:g}" in reply


def test_some_lines():
    fuzz(1500, 11)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_hundred_thousand_lines(seed):
    fuzz(25_000, seed)


@pytest.mark.slow
def test_lines_to_the_real_player():
    fuzz(4000, 17, REAL_ENGINE)
