"""Eight words at once."""

from __future__ import annotations

import numba
import numpy as np

from engine.board import U0, u64
from knowledge.lanes import keep_lanes, labelled_lane, lanes_at, least_lane, no_lanes

WORDS = np.random.default_rng(1).integers(0, 2**64, 24, dtype=np.uint64)


@numba.njit
def _xor(words, i, j, out):
    keep_lanes(out, u64(1), lanes_at(words, u64(i)) ^ lanes_at(words, u64(j)))


@numba.njit
def _least(words, i):
    return least_lane(lanes_at(words, u64(i)) ^ no_lanes())


@numba.njit
def _labelled(words, label):
    return labelled_lane(lanes_at(words, U0), u64(label))


def test_xor_works_on_eight_words_and_no_more() -> None:
    out = np.full(10, 5, np.uint64)
    _xor(WORDS, 3, 14, out)
    assert (out[1:9] == WORDS[3:11] ^ WORDS[14:22]).all()
    assert (out[0], out[9]) == (5, 5)


def test_the_least_is_the_least_signed_word() -> None:
    for i in range(17):
        assert np.uint64(_least(WORDS, i)) == WORDS[i : i + 8].view(np.int64).min().view(np.uint64)


def test_a_label_finds_its_word_wherever_it_is() -> None:
    words = np.array([(90 + k) << 32 | (k + 1) for k in range(8)], np.uint64)
    assert [_labelled(words, 90 + k) for k in range(8)] == list(range(1, 9))
    assert _labelled(words, 89) == 0
    assert _labelled(words, 2**31) == 0
