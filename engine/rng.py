"""Random numbers for kernels: SplitMix64, a state of one word that its owner carries.

Nobody shares a generator, so the same seed gives the same playout on any thread. A kernel
keeps the state in a local variable, draws with `mix` and moves on with `next_state`:

    bits = mix(state)          # 64 random bits
    state = next_state(state)
    k = below(bits, n)         # 0 <= k < n
"""

from __future__ import annotations

import numpy as np

from engine.jit import inner

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30 = np.uint64(11), np.uint64(27), np.uint64(30)
_S31, _S32 = np.uint64(31), np.uint64(32)
_TO_UNIT_INTERVAL = 2.0**-53


def new_rng(seed: int) -> np.ndarray:
    """A generator's state in an array of one word, for kernels that draw and write it back."""
    return np.array([seed % 2**64], dtype=np.uint64)


def random_words(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """A table of random 64-bit words that is the same on every machine and in every version."""
    count = int(np.prod(shape))
    z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * _STEP
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return (z ^ (z >> _S31)).reshape(shape)


@inner
def next_state(state):
    """The state that follows."""
    return state + _STEP


@inner
def mix(state):
    """The 64 random bits that belong to a state."""
    z = (state ^ (state >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@inner
def below(bits, n):
    """A number in [0, n) from 64 random bits; the bias is under n / 2**32."""
    return ((bits >> _S32) * n) >> _S32


@inner
def unit(state):
    """The random number from 0 to 1 that belongs to a state."""
    return np.float64(np.int64(mix(state) >> _S11)) * _TO_UNIT_INTERVAL
