"""The groups about captures, ataris, liberties, eyes and ko: what the marks at a point say.

Each function is one group's definition in `knowledge/groups.py`: from a move's mark to its value.
"""

from __future__ import annotations

from engine.board import S, U0, U1, U2, U3, U4, atari_liberty, in_atari, neighbourhood, u64
from engine.jit import inner
from engine.tactics.atari import stones_after
from knowledge import groups as g
from knowledge.extract.facts import (
    ATTACKS,
    ATTACKS_BIG,
    ATTACKS_LAST,
    ATTACKS_TWO,
    BAD,
    BIG_LADDER,
    DIES,
    ENEMY_FALSE,
    ENEMY_REAL,
    GUARDS,
    LADDER,
    NEAR_TWO,
    NETS_BIG,
    NETS_SMALL,
    NO_VALUE,
    NUMBER,
    OTHER_LADDER,
    OWN_FALSE,
    OWN_REAL,
    SAVES,
    SAVES_FREE,
    SAVES_NEW,
    SAVES_NEW_FREE,
    SPOILS,
    TAKES,
    TAKES_BESIDE_NEW,
    TAKES_BESIDE_WEAK,
    TAKES_ESCAPER,
    TAKES_LAST,
    TAKES_LAST_LOST,
    THREATENED,
    TOUCHES_LAST,
    VITAL,
    put,
)

_STONE_CLASSES = u64(g.STONE_CLASSES)


@inner
def _stone_class(n):
    if n <= U2:
        return n - U1
    return u64(g.STONES_3_TO_6) if n <= u64(6) else u64(g.STONES_7)


# --- Captures -----------------------------------------------------------------------------

_CAPTURE, _SIMPLE_CAPTURE, _TAKE = NUMBER["capture"], NUMBER["simple_capture"], NUMBER["take"]


@inner
def _capture(m, recaptures):
    if m & TAKES == U0:
        return NO_VALUE
    if m & TAKES_BESIDE_NEW != U0:
        return u64(g.CAPTURE_SAVES)
    if m & TAKES_LAST != U0:
        if recaptures:
            return u64(g.CAPTURE_RECAPTURES)
    elif m & TOUCHES_LAST != U0:
        return u64(g.CAPTURE_PARTS)
    return u64(g.CAPTURE_ESCAPER) if m & TAKES_ESCAPER != U0 else u64(g.CAPTURE_LOST)


@inner
def _frees_another(b, c, v):
    """Whether a capture at v touches an own chain in atari that v is no liberty of."""
    for n in (v - S, v - U1, v + U1, v + S):
        h = u64(b.chain[n])
        if u64(b.color[n]) == U3 - c and in_atari(b, h):
            p = h
            while True:
                for m in (p - S, p - U1, p + U1, p + S):
                    k = u64(b.chain[m])
                    if u64(b.color[m]) == c and in_atari(b, k) and atari_liberty(b, k) != v:
                        return True
                p = u64(b.next[p])
                if p == h:
                    break
    return False


@inner
def _simple_capture(b, c, v, m, after, recaptures):
    if m & TAKES == U0:
        return NO_VALUE
    helps = m & (TAKES_BESIDE_NEW | TAKES_BESIDE_WEAK) != U0
    # A chain in atari that the move doesn't join keeps its liberty and gets the taken stones'.
    if helps and (after > U1 or _frees_another(b, c, v)):
        return u64(g.SIMPLE_CAPTURE_SAVES)
    if m & TAKES_LAST != U0:
        return u64(g.SIMPLE_CAPTURE_RECAPTURES) if recaptures else u64(g.SIMPLE_CAPTURE_OTHER)
    return u64(g.SIMPLE_CAPTURE_PARTS) if m & TOUCHES_LAST != U0 else u64(g.SIMPLE_CAPTURE_OTHER)


@inner
def _take_kind(m, recaptures):
    if m & TAKES_BESIDE_NEW != U0:
        return u64(g.TAKE_RESCUES_NEW)
    if m & TAKES_BESIDE_WEAK != U0:
        return u64(g.TAKE_RESCUES)
    if m & TAKES_LAST != U0:
        if recaptures:
            return u64(g.TAKE_RECAPTURES)
        return u64(g.TAKE_LAST_LOST) if m & TAKES_LAST_LOST != U0 else u64(g.TAKE_LAST)
    if m & TOUCHES_LAST != U0:
        return u64(g.TAKE_PARTS)
    return u64(g.TAKE_ESCAPER) if m & TAKES_ESCAPER != U0 else u64(g.TAKE_LOST)


@inner
def _take(m, recaptures, taken):
    if m & TAKES == U0:
        return NO_VALUE
    return _take_kind(m, recaptures) * _STONE_CLASSES + _stone_class(taken)


# --- Own chains ---------------------------------------------------------------------------

_EXTENSION, _SIMPLE_EXTENSION = NUMBER["extension"], NUMBER["simple_extension"]
_SAVE, _OWN_LIBERTIES = NUMBER["save"], NUMBER["own_liberties"]
_SELF_ATARI, _SELF_ATARI_KIND = NUMBER["self_atari"], NUMBER["self_atari_kind"]
_CHAIN_SELF_ATARI = NUMBER["chain_self_atari"]


@inner
def _if(condition, value):
    return value if condition else NO_VALUE


@inner
def _extension(m):
    if m & SAVES_NEW == U0:
        return NO_VALUE
    return u64(g.EXTENSION_FREE) if m & SAVES_NEW_FREE != U0 else u64(g.EXTENSION_LOST)


@inner
def _save(m, after, saved):
    if m & SAVES == U0:
        return NO_VALUE
    outcome = u64(g.SAVE_FREE)
    if after == U1:
        outcome = u64(g.SAVE_DIES)
    elif after == U2:
        outcome = u64(g.SAVE_TWO) if m & SAVES_FREE != U0 else u64(g.SAVE_LADDER)
    age = u64(g.SAVE_NEW) if m & SAVES_NEW != U0 else u64(g.SAVE_OLD)
    return (age * u64(g.SAVE_OUTCOMES) + outcome) * _STONE_CLASSES + _stone_class(saved)


@inner
def _own_liberties(m, fewest, after):
    if fewest > U4:
        return NO_VALUE
    weakness = fewest - U1
    if m & THREATENED != U0:
        weakness = u64(g.OWN_LIBERTIES_THREATENED)
    return weakness * u64(g.OWN_LIBERTIES_AFTER) + after - U1


@inner
def _self_atari_kind(b, c, v, m):
    if m & DIES == U0:
        return NO_VALUE
    if m & BAD == U0:
        return u64(g.SELF_ATARI_KIND_GOOD)
    small = stones_after(b, v, c) <= U2
    return u64(g.SELF_ATARI_KIND_SMALL) if small else u64(g.SELF_ATARI_KIND_BIG)


@inner
def _chain_self_atari(m, own_state):
    if m & DIES == U0 or own_state == U0:
        return NO_VALUE
    return u64(g.CHAIN_SELF_ATARI_BAD) if m & BAD != U0 else u64(g.CHAIN_SELF_ATARI_GOOD)


# --- Enemy chains -------------------------------------------------------------------------

_ATARI, _SIMPLE_ATARI, _THREAT = NUMBER["atari"], NUMBER["simple_atari"], NUMBER["threat"]
_NET = NUMBER["net"]


@inner
def _atari(m, barred):
    if m & ATTACKS == U0:
        return NO_VALUE
    if m & LADDER != U0:
        return u64(g.ATARI_LADDER)
    return u64(g.ATARI_KO) if barred else u64(g.ATARI_OTHER)


@inner
def _simple_atari(m, barred):
    if m & ATTACKS == U0:
        return NO_VALUE
    return u64(g.SIMPLE_ATARI_KO) if barred else u64(g.SIMPLE_ATARI_OTHER)


@inner
def _threat(m, barred):
    if m & ATTACKS == U0:
        return NO_VALUE
    if m & LADDER != U0:
        return u64(g.THREAT_BIG_LADDER) if m & BIG_LADDER != U0 else u64(g.THREAT_LADDER)
    if m & ATTACKS_TWO != U0:
        return u64(g.THREAT_DOUBLE)
    if m & OTHER_LADDER != U0:
        return u64(g.THREAT_WRONG_SIDE)
    if barred:
        return u64(g.THREAT_KO)
    if m & ATTACKS_LAST != U0:
        return u64(g.THREAT_LAST)
    return u64(g.THREAT_BIG) if m & ATTACKS_BIG != U0 else u64(g.THREAT_OTHER)


@inner
def _net(m):
    if m & NETS_BIG != U0:
        return u64(g.NET_BIG)
    return _if(m & NETS_SMALL != U0, u64(g.NET_SMALL))


# --- Eyes and ko --------------------------------------------------------------------------

_EYE, _KO = NUMBER["eye"], NUMBER["ko"]


@inner
def _eye(m):
    if m & OWN_REAL != U0:
        return u64(g.EYE_OWN_REAL)
    if m & OWN_FALSE != U0:
        return u64(g.EYE_OWN_FALSE)
    if m & ENEMY_REAL != U0:
        return u64(g.EYE_ENEMY_REAL)
    if m & ENEMY_FALSE != U0:
        return u64(g.EYE_ENEMY_FALSE)
    if m & GUARDS != U0:
        return u64(g.EYE_GUARDS)
    return _if(m & SPOILS != U0, u64(g.EYE_SPOILS))


@inner
def _ko(m, barred, f, i, v):
    # A stone that takes a ko stands alone: all around it are the other side's, one of them taken.
    if f.empties[i] == U0:
        if m & TAKES != U0 and f.taken[v] == U1 and f.own_state[i] == U0:
            return u64(g.KO_TAKE)
        if m & SAVES != U0 and f.saved[v] == U1 and f.enemy_state[i] == U0:
            return u64(g.KO_FILL)
    return _if(barred and m & (TAKES | ATTACKS) != U0, u64(g.KO_THREAT))


# --- Playouts -----------------------------------------------------------------------------

_PLAYOUT = NUMBER["playout"]
_REPLY_CAPTURE, _REPLY_EXTENSION = NUMBER["reply_capture"], NUMBER["reply_extension"]


@inner
def _is_around(v, p):
    """Whether a point is one of the eight around another."""
    return (
        (v == p - S - U1)
        | (v == p - S)
        | (v == p - S + U1)
        | (v == p - U1)
        | (v == p + U1)
        | (v == p + S - U1)
        | (v == p + S)
        | (v == p + S + U1)
    )


@inner
def _shape_rule(b, v, last, second, s):
    near_last = _is_around(v, last)
    near_second = second != U0 and _is_around(v, second)
    if not (near_last or near_second) or s.rule_shapes[neighbourhood(b, v)] == 0:
        return NO_VALUE
    return u64(g.PLAYOUT_SHAPE) if near_last else u64(g.PLAYOUT_SECOND_SHAPE)


@inner
def _reply_rule(m, after):
    if m & TAKES_LAST != U0:
        return u64(g.PLAYOUT_TAKE_LAST)
    if (m & SAVES_NEW != U0 and after >= U2) or m & TAKES_BESIDE_NEW != U0:
        return u64(g.PLAYOUT_SAVE)
    if m & ATTACKS_LAST != U0 and after >= U2:
        return u64(g.PLAYOUT_ATTACK)
    if m & NEAR_TWO != U0 and after >= U3:
        return u64(g.PLAYOUT_DEFEND)
    return _if(m & VITAL != U0, u64(g.PLAYOUT_NAKADE))


@inner
def _playout(b, v, m, after, moment, s):
    allowed = m & (OWN_REAL | BAD) == U0
    if allowed and moment.moves[0] != U0:
        rule = _reply_rule(m, after)
        if rule == NO_VALUE:
            rule = _shape_rule(b, v, moment.moves[0], moment.moves[1], s)
        if rule != NO_VALUE:
            return rule
    if m & TAKES != U0:
        return u64(g.PLAYOUT_CAPTURE)
    return _if(not allowed, u64(g.PLAYOUT_FILTERED))


# --- All together -------------------------------------------------------------------------


@inner
def _write_chains_of(b, c, i, v, m, f, s, out, barred, recaptures):
    """The groups about single chains."""
    after = u64(f.after[i])
    put(out, i, s, _CAPTURE, _capture(m, recaptures))
    if s.first[_SIMPLE_CAPTURE] != 0:
        put(out, i, s, _SIMPLE_CAPTURE, _simple_capture(b, c, v, m, after, recaptures))
    put(out, i, s, _TAKE, _take(m, recaptures, u64(f.taken[v])))
    put(out, i, s, _EXTENSION, _extension(m))
    put(out, i, s, _SIMPLE_EXTENSION, _if(m & SAVES_NEW != U0, U0))
    put(out, i, s, _SAVE, _save(m, after, u64(f.saved[v])))
    put(out, i, s, _SELF_ATARI, _if(m & DIES != U0, U0))
    if s.first[_SELF_ATARI_KIND] != 0:
        put(out, i, s, _SELF_ATARI_KIND, _self_atari_kind(b, c, v, m))
    put(out, i, s, _CHAIN_SELF_ATARI, _chain_self_atari(m, u64(f.own_state[i])))
    put(out, i, s, _ATARI, _atari(m, barred))
    put(out, i, s, _SIMPLE_ATARI, _simple_atari(m, barred))
    put(out, i, s, _THREAT, _threat(m, barred))
    put(out, i, s, _NET, _net(m))


@inner
def _write_answers_of(b, i, v, m, moment, f, s, out, barred):
    """The groups about eyes, ko and what playouts would do."""
    after = u64(f.after[i])
    put(out, i, s, _EYE, _eye(m))
    put(out, i, s, _KO, _ko(m, barred, f, i, v))
    if s.first[_PLAYOUT] != 0:
        put(out, i, s, _PLAYOUT, _playout(b, v, m, after, moment, s))
    put(out, i, s, _REPLY_CAPTURE, _if(m & TAKES_LAST != U0, U0))
    put(out, i, s, _REPLY_EXTENSION, _if(m & SAVES_NEW != U0 and after >= U2, U0))


@inner
def write_tactics(b, c, moment, f, s, out):
    """All groups that only marked moves have a value of."""
    barred = b.ko != U0 and b.ko_for == c
    recaptures = b.n_removed != U0
    for j in range(f.n_hot):
        i = u64(f.hot[j])
        v = u64(f.points[i])
        m = u64(f.mark[v])
        _write_chains_of(b, c, i, v, m, f, s, out, barred, recaptures)
        _write_answers_of(b, i, v, m, moment, f, s, out, barred)


@inner
def write_liberties(f, s, out):
    """The group `own_liberties`, which moves without marks have too."""
    for i in range(f.n_moves):
        m = u64(f.mark[u64(f.points[i])])
        put(out, i, s, _OWN_LIBERTIES, _own_liberties(m, u64(f.fewest[i]), u64(f.after[i])))
