"""3x3 codes: the neighbourhood of every point, kept up stone by stone.

A code is that of `board.neighbourhood`: two bits for each of the eight points around. A stone
that comes or goes adds or takes its colour in the codes of the eight; stones and the border
have codes too, so nobody asks what is there. Many questions about a point's surroundings are
then answered from one word.
"""

from __future__ import annotations

from engine.board import S, U0, U1, U2, U3, U4, neighbourhood, u64
from engine.jit import inner

# The low bits of the four sides: north, west, east, south.
_SIDES = u64(1 << 2 | 1 << 6 | 1 << 8 | 1 << 12)


@inner
def empty_sides(code):
    """How many of a point's four sides are empty."""
    free = ~(code | (code >> U1)) & _SIDES
    return (
        ((free >> U2) & U1) + ((free >> u64(6)) & U1) + ((free >> u64(8)) & U1) + (free >> u64(12))
    )


@inner
def touches(code, c):
    """Whether a stone of colour c is on one of a point's four sides."""
    low, high = code & _SIDES, (code >> U1) & _SIDES
    return (low & ~high if c == U1 else high & ~low) != U0


@inner
def show_stone(code, v, c):
    """Let the eight neighbours of v see a stone of colour c come, or go if negative."""
    n, s = v + S, v - S
    code[n - U1] += c << u64(14)
    code[n] += c << u64(12)
    code[n + U1] += c << u64(10)
    code[v - U1] += c << u64(8)
    code[v + U1] += c << u64(6)
    code[s - U1] += c << U4
    code[s] += c << U2
    code[s + U1] += c


@inner
def start_codes(code, b):
    """Compute all codes of a position."""
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            code[v] = neighbourhood(b, v)


@inner
def update_codes(code, b, v, c):
    """Keep the codes up after c's stone was placed at v."""
    show_stone(code, v, c)
    for i in range(b.n_removed):
        show_stone(code, u64(b.removed[i]), c - U3)
