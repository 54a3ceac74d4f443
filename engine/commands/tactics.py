"""`miai tactics FILE`: test positions with a known answer, and how many the engine gets right.

A file has one JSON object a line: `sgf` leads to the position, `color` moves, `answer` is a
regular expression for the reply (with `!` in front: for what the reply must not be); `suite`, `id`
and `komi` may be there too.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.commands.arguments import positive_integer
from engine.commands.main import CommandError
from engine.console import say
from engine.parameters import Settings

if TYPE_CHECKING:
    from engine.game import Game


class Question(NamedTuple):
    """A position and what is to be found there."""

    suite: str
    name: str
    game: Game
    color: int
    answer: str

    def is_answered_by(self, move: str) -> bool:
        wanted = self.answer.lstrip("!")
        return bool(re.fullmatch(wanted, move, re.IGNORECASE)) != self.answer.startswith("!")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="test positions, one JSON object a line")
    parser.add_argument(
        "--sims", type=positive_integer, default=5000, metavar="N",
        help="simulations a move (default 5000)",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=positive_integer, default=1, metavar="N", help="threads (default 1)"
    )
    parser.add_argument(
        "--seed", type=positive_integer, default=1, metavar="N", help="random seed (default 1)"
    )
    parser.add_argument(
        "--suite", default="", metavar="TEXT", help="only suites whose name holds this"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE",
        help="another setting of the engine, as often as you like",
    )  # fmt: skip
    parser.add_argument("--failed", action="store_true", help="list the wrong answers too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of a file; CommandError names the line that is none."""
    from engine.sgf import load_game
    from engine.vertex import parse_color

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"cannot read {path}: {error}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            game = load_game(row["sgf"].encode())
            game.komi = float(row.get("komi", game.komi))
            answer = str(row["answer"])
            re.compile(answer.lstrip("!"))
            yield Question(
                str(row.get("suite", "")), str(row.get("id", number)), game,
                parse_color(row["color"]), answer,
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError, re.error) as error:
            raise CommandError(f"{path}, line {number}: no test position ({error})") from None


def _settings(args: argparse.Namespace) -> Settings:
    chosen = {"sims": args.sims, "threads": args.threads, "seed": args.seed, "resign": 0.0}
    settings = Settings(dict(chosen))
    for text in args.set:
        name, _, value = text.partition("=")
        try:
            settings.set(name, value)
        except ValueError as error:
            raise CommandError(str(error)) from None
    return settings


def run(args: argparse.Namespace) -> int:
    """Ask everything and print the shares."""
    from engine.player import Player
    from engine.vertex import vertex_text

    questions = [q for q in read_questions(args.file) if args.suite in q.suite]
    if not questions:
        raise CommandError("no test positions")
    player = Player(_settings(args))
    asked: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    failed: list[dict[str, Any]] = []
    for number, question in enumerate(questions, 1):
        move = vertex_text(player.choose(question.game, question.color).point)
        asked[question.suite] += 1
        if question.is_answered_by(move):
            passed[question.suite] += 1
        else:
            failed.append(
                {"suite": question.suite, "id": question.name, "move": move,
                 "answer": question.answer}
            )  # fmt: skip
        if number % 50 == 0:
            say(f"{number} of {len(questions)}: {sum(passed.values())} right")
    figures = {
        "sims": args.sims, "passed": sum(passed.values()), "total": len(questions),
        "share": round(sum(passed.values()) / len(questions), 4),
        "suites": {suite: [passed[suite], asked[suite]] for suite in sorted(asked)},
        "failed": failed,
    }  # fmt: skip
    print(json.dumps(figures) if args.json else _table(figures, args.failed))
    return 0


def _table(figures: dict[str, Any], with_failed: bool) -> str:
    width = max(map(len, [*figures["suites"], "all"]))
    lines = [f"{suite:{width}}  {n}/{of}" for suite, (n, of) in figures["suites"].items()]
    lines.append(
        f"{'all':{width}}  {figures['passed']}/{figures['total']} "
        f"({100 * figures['share']:.1f}%) at {figures['sims']} simulations"
    )
    if with_failed:
        lines += [
            f"{f['suite']} {f['id']}: {f['move']}, not {f['answer']}" for f in figures["failed"]
        ]
    return "\n".join(lines)
