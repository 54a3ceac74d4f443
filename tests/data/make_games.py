"""Make `gnugo.sgf`: games of GNU Go 3.8 against itself, one complete game per line.

    python tests/data/make_games.py

needs the program gnugo (Debian's package of that name) and takes a few minutes. The same version
makes the same games. Every other game is played on until all dead stones are captured, because
captures are what the board is tested with; the last few have handicap stones.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from sgfmill import common, sgf

OUTPUT = Path(__file__).with_name("gnugo.sgf")
# How many games of each size, and with how many handicap stones.
EVEN_GAMES = {5: 2, 6: 2, 7: 4, 8: 2, 9: 12, 11: 2, 13: 8, 16: 2, 19: 8}
HANDICAP_GAMES = {9: (2, 2), 13: (2, 4), 19: (2, 9)}
MOVE_LIMIT = 3  # moves for each point


class GnuGo:
    """GNU Go in a process of its own, spoken to in GTP."""

    def __init__(self, *options: str) -> None:
        path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
        program = shutil.which("gnugo", path=path)
        if program is None:
            raise SystemExit("gnugo is not installed")
        self._process = subprocess.Popen(
            [program, "--mode", "gtp", "--level", "1", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, command: str) -> str:
        """Send a command and return the text of the reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline().strip()) or not lines:
            lines.append(line)
        reply = "\n".join(lines)
        if not reply.startswith("="):
            raise SystemExit(f"GNU Go refused {command!r}: {reply}")
        return reply[1:].strip()

    def close(self) -> None:
        self.ask("quit")
        self._process.wait()


def make_game(size: int, seed: int, handicap: int, to_the_end: bool) -> str:
    """One game as SGF on one line."""
    options = ("--capture-all-dead", "--chinese-rules") if to_the_end else ("--japanese-rules",)
    program = GnuGo("--seed", str(seed), *options)
    game = sgf.Sgf_game(size=size)
    root = game.get_root()
    komi = 0.5 if handicap else 6.5
    program.ask(f"boardsize {size}")
    program.ask(f"komi {komi}")
    root.set("KM", komi)
    root.set("RU", "Chinese" if to_the_end else "Japanese")
    root.set("PB", "GNU Go 3.8")
    root.set("PW", "GNU Go 3.8")
    colors = "bw"
    if handicap:
        stones = program.ask(f"fixed_handicap {handicap}").split()
        root.set_setup_stones([common.move_from_vertex(vertex, size) for vertex in stones], [])
        root.set("HA", handicap)
        colors = "wb"
    passes = 0
    for n in range(MOVE_LIMIT * size * size):
        color = colors[n % 2]
        vertex = program.ask(f"genmove {color}")
        if vertex.lower() == "resign":
            root.set("RE", f"{'W' if color == 'b' else 'B'}+Resign")
            break
        move = common.move_from_vertex(vertex, size)
        game.extend_main_sequence().set_move(color, move)
        passes = passes + 1 if move is None else 0
        if passes == 2:
            root.set("RE", program.ask("final_score"))
            break
    program.close()
    return game.serialise(wrap=None).decode("utf-8").replace("\n", "")


def main() -> None:
    wanted = [(size, 0) for size, count in EVEN_GAMES.items() for _ in range(count)]
    wanted += [(size, stones) for size, (n, stones) in HANDICAP_GAMES.items() for _ in range(n)]
    games = []
    for seed, (size, handicap) in enumerate(wanted, start=1):
        games.append(make_game(size, seed, handicap, to_the_end=seed % 2 == 0))
        moves = games[-1].count(";") - 1
        print(f"{seed} of {len(wanted)}: {size}x{size}, {moves} moves", flush=True)
    unfinished = OUTPUT.with_suffix(".part")
    unfinished.write_text("\n".join(games) + "\n", encoding="utf-8")
    os.replace(unfinished, OUTPUT)


if __name__ == "__main__":
    main()
