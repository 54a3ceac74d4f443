"""A GTP program for tests that plays given moves and misbehaves when it is told to.

    fake_engine.py [--moves "A1 B2 pass"] [--fault KIND] [--at N] [--without COMMAND]
        [--dead "A1"] [--handicap "C3 E5"] [--analyze] [--pause SECONDS] [--resign-below X]
        [--farewell FILE] [--any options]

Moves are played in turn, then it passes. It knows the parameters c_puct and expand_at and resigns
at once if c_puct is below X. It makes FILE when it is told to quit. The fault happens at its N-th
move, counted from 1 in each game, or when it is asked for dead stones if N is 0: crash, hang,
illegal, nonsense, refuse, slow, endless, vertex.
"""

import argparse
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--moves", default="")
parser.add_argument("--fault", default="")
parser.add_argument("--at", type=int, default=1)
parser.add_argument("--without", action="append", default=[])
parser.add_argument("--dead", default="")
parser.add_argument("--handicap", default="")
parser.add_argument("--pause", type=float, default=0.0)
parser.add_argument("--resign-below", type=float, default=0.0)
parser.add_argument("--analyze", action="store_true")
parser.add_argument("--farewell", default="")
parser.add_argument("--any", action="store_true")
args, strange = parser.parse_known_args()
if strange and not args.any:
    parser.error(f"unknown options {strange}")
commands = ["list_commands", "final_status_list", "time_left", "time_settings", "set_random_seed"]
commands += ["lz-genmove_analyze"] if args.analyze else []
commands += ["fixed_handicap"] if args.handicap else []
moves: list[str] = []
parameters = {"c_puct": 1.0, "expand_at": 8.0}


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def misbehave() -> None:
    if args.fault == "crash":
        sys.stderr.write("out of ideas\n")
        sys.exit(3)
    if args.fault == "hang":
        time.sleep(1000)
    if args.fault == "slow":
        time.sleep(5)
    if args.fault == "endless":
        while True:
            say("= and so on\n")
    answers = {"illegal": "= A1", "nonsense": "Hello!", "refuse": "? no", "vertex": "= Q99"}
    if args.fault in answers:
        say(f"{answers[args.fault]}\n\n")


for line in sys.stdin:
    name, *words = line.split()
    if name == "quit":
        if args.farewell:
            open(args.farewell, "x").close()
        say("= \n\n")
        break
    if name == "clear_board":
        moves = args.moves.split()
        turn = 0
    if name == "list_commands":
        known = [command for command in commands if command not in args.without]
        say("= " + "\n".join(known) + "\n\n")
    elif name in args.without:
        say("? unknown command\n\n")
    elif name == "fixed_handicap":
        say(f"= {args.handicap}\n\n")
    elif name == "kata-set-param" and words[0] != "seed":
        say("= \n\n" if words[0] in parameters else "? unknown parameter\n\n")
        parameters[words[0]] = float(words[1])
    elif name == "final_status_list" and args.fault and args.at == 0:
        misbehave()
    elif name == "final_status_list":
        say(f"= {args.dead if words == ['dead'] else ''}\n\n")
    elif name in ("genmove", "lz-genmove_analyze"):
        turn += 1
        time.sleep(args.pause)
        move = moves.pop(0) if moves else "pass"
        if parameters["c_puct"] < args.resign_below:
            move = "resign"
        sys.stderr.write(f"thinking about {move}\n")
        sys.stderr.flush()
        if args.fault and turn == args.at:
            misbehave()
            if args.fault != "slow":
                continue
        if name == "genmove":
            say(f"= {move}\n\n")
        else:
            say(f"=\ninfo move {move} visits 90 winrate 6100 pv {move} B2\nplay {move}\n\n")
    else:
        say("= \n\n")
