"""Ask a tactical question everywhere on many boards at once: what `miai bench tactics` times.

The questions are listed first (`ladder_questions`, `move_questions`), so that what is timed
afterwards (`read_ladders`, `find_nets`, `find_bad_self_ataris`) is the answering alone.
"""

from __future__ import annotations

import numpy as np

from engine.board import U2, is_legal, liberties_up_to_3, u64
from engine.geometry import AREA, BLACK, EMPTY, WHITE
from engine.jit import kernel
from engine.tactics.atari import is_bad_self_atari
from engine.tactics.ladders import read_ladder
from engine.tactics.nets import net_capture

# On which board, at which point, and what matters there: a chain's liberties or a mover's colour.
QUESTION = np.dtype([("board", np.uint64), ("point", np.uint64), ("what", np.uint64)])


@kernel
def _list_chains(boards, out):
    n = 0
    for i in range(len(boards)):
        b = boards[i]
        for v in range(len(b.color)):
            if (b.color[v] == BLACK or b.color[v] == WHITE) and b.chain[v] == v:
                libs = liberties_up_to_3(b, u64(v))
                if libs <= U2:
                    out[n].board, out[n].point, out[n].what = u64(i), u64(v), libs
                    n += 1
    return n


@kernel
def _list_moves(boards, out):
    n = 0
    for i in range(len(boards)):
        b = boards[i]
        for v in range(len(b.color)):
            for c in (u64(BLACK), u64(WHITE)):
                if b.color[v] == EMPTY and is_legal(b, u64(v), c):
                    out[n].board, out[n].point, out[n].what = u64(i), u64(v), c
                    n += 1
    return n


@kernel
def _read_ladders(boards, questions, scratch, limit, answers):
    s = scratch[0]
    for i in range(len(questions)):
        q = questions[i]
        answers[i] = read_ladder(boards[q.board], q.point, q.what == U2, s, u64(limit))


@kernel
def _find_nets(boards, questions, scratch, limit, answers):
    s = scratch[0]
    for i in range(len(questions)):
        q = questions[i]
        answers[i] = net_capture(boards[q.board], q.point, s, u64(limit))


@kernel
def _find_bad_self_ataris(boards, questions, answers):
    for i in range(len(questions)):
        q = questions[i]
        answers[i] = is_bad_self_atari(boards[q.board], q.point, q.what)


def ladder_questions(boards: np.ndarray) -> np.ndarray:
    """All chains with one or two liberties; `what` is how many."""
    out = np.zeros(len(boards) * AREA, QUESTION)
    return out[: _list_chains(boards, out)].copy()


def move_questions(boards: np.ndarray) -> np.ndarray:
    """All legal moves of both colours; `what` is the colour."""
    out = np.zeros(len(boards) * AREA * 2, QUESTION)
    return out[: _list_moves(boards, out)].copy()


def read_ladders(
    boards: np.ndarray, questions: np.ndarray, scratch: np.ndarray, limit: int
) -> np.ndarray:
    """Each chain's ladder: with the defender to move if it is in atari, else with the attacker."""
    answers = np.zeros(len(questions), np.uint16)
    _read_ladders(boards, questions, scratch, limit, answers)
    return answers


def find_nets(
    boards: np.ndarray, questions: np.ndarray, scratch: np.ndarray, limit: int
) -> np.ndarray:
    """The net move against each chain with two liberties, or 0."""
    answers = np.zeros(len(questions), np.uint16)
    _find_nets(boards, questions, scratch, limit, answers)
    return answers


def find_bad_self_ataris(boards: np.ndarray, questions: np.ndarray) -> np.ndarray:
    """Whether each move is a bad self-atari."""
    answers = np.zeros(len(questions), np.bool_)
    _find_bad_self_ataris(boards, questions, answers)
    return answers
