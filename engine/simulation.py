"""One simulation: down the tree, perhaps a new node, a playout, and back up with the result.

Where to start reading: `simulate`. A thread has a SIMULATION record of its own, with its board;
the tree, the ROOT and the control words are shared. Nothing locks: sums are atomic, a node is
expanded by the thread that changes its state first, and its children are published last.
A thread that walks down leaves a visit at every node, which counts as a loss until the result is
there: so that others look elsewhere.
"""

from __future__ import annotations

import numpy as np

from engine.atomics import cycles, fetch_add, fetch_or, look, publish, swap_if
from engine.board import (
    BOARD,
    U0,
    U1,
    U2,
    U3,
    WHITE_TO_MOVE,
    is_eye,
    is_legal,
    pass_move,
    place,
    u64,
)
from engine.calls import call, copy_record
from engine.geometry import AREA, BLACK, POINTS, STRIDE, WHITE
from engine.jit import inner, kernel
from engine.playout.run import owner_of
from engine.priors import value_by_probability
from engine.scoring import find_owners
from engine.selection import GUIDE, WINS, select
from engine.selection import PRIOR as BY_PRIOR
from engine.tree import (
    BARRED,
    EXPANDED,
    EXPANDING,
    FUTILE,
    ILLEGAL,
    LEGAL,
    LOST,
    ONE_VISIT,
    RAVE_BITS,
    RAVE_UNIT,
    VALUE_UNIT,
    WON,
    visits_of,
)
from knowledge.extract.facts import MOMENT, go_on

# A line of the tree is followed so far; it only gets near in endless kos.
MAX_DEPTH = 3 * AREA
# The hashes of the game's positions: open addressing, 0 is free.
SEEN_SLOTS = 4096
SIMPLE_KO, POSITIONAL, SITUATIONAL = 0, 1, 2
# Values of moves that differ less than this from nothing, on average, say nothing.
_ALIKE = 1e-5
# After so many playouts half of what they say about critical points is believed.
_CRITICAL_PLAYOUTS = 200.0
# How often a search with a limit of simulations looks whether it is decided.
_DECISION_EVERY = u64(32)
# A tree of so many simulations is grown: its nodes wait for children as long as they ever do.
_GROWN = u64(4000)
# How many simulations a thread keeps what they say of the root's moves to itself.
_ROOT_RAVE_EVERY = u64(8)

# The words that all threads and the Python side share, each on a cache line of its own: what one
# thread counts must not slow the other down that looks whether to stop.
STOP, SIMS, LIMIT, NODES, FULL, DECIDED = (u64(8 * i) for i in range(6))
CONTROL_WORDS = 48

ROOT = np.dtype(
    [
        ("board", BOARD),
        ("moment", MOMENT),
        ("color", np.uint64),  # who moves
        ("passed", np.uint64),  # whether the last move was a pass
        ("komi", np.float64),  # what playouts are counted with
        ("true_komi", np.float64),  # what two passes are counted with
        ("score_weight", np.float64),
        ("expand_early", np.uint64),
        ("expand_at", np.uint64),
        ("rave_early", np.float64),
        ("criticality", np.float64),
        ("early_stop", np.uint64),  # after how many simulations at the earliest; 0 is never
        ("is_shared", np.uint64),  # whether more than one thread grows the tree
        ("ko_rule", np.uint64),
        ("prior_games", np.float64),
        ("prior_wins", np.float64),
        ("guide", GUIDE),
        ("seen", np.uint64, SEEN_SLOTS),
    ],
    align=True,
)

SIMULATION = np.dtype(
    [
        ("board", BOARD),
        ("moment", MOMENT),
        ("depth", np.uint64),
        ("color", np.uint64),
        ("passed", np.uint64),
        ("path", np.uint32, MAX_DEPTH + 1),  # the nodes, the root first
        ("moves", np.uint16, MAX_DEPTH),
        ("keys", np.uint64, MAX_DEPTH + 1),  # what may not be repeated
        ("values", np.float32, AREA + 1),
        ("order", np.uint16, AREA + 1),
        ("first", np.uint32, POINTS),  # who plays a point first, and when
        ("root_rave", np.uint64, AREA + 1),  # of the root's moves, not yet added to the tree
        ("owner", np.uint8, POINTS),
        ("marks", np.uint8, POINTS),
        ("queue", np.uint16, AREA),
        # What the simulations found, summed up.
        ("results", np.int64),
        ("playouts", np.int64),  # those results that came from one: only they tell owners
        ("balance", np.int64),  # Black's wins minus White's
        ("score", np.float64),
        ("score_squares", np.float64),
        ("owned", np.int64, POINTS),  # Black's minus White's
        ("owned_by_winner", np.int64, POINTS),
        ("histogram", np.int64, 2 * AREA + 1),
        ("playout_moves", np.int64),
        ("cycles", np.uint64),
        ("playout_cycles", np.uint64),
        ("prior_cycles", np.uint64),
        ("expansions", np.uint64),
    ],
    align=True,
)


# --- Repetition ---------------------------------------------------------------------------


@inner
def position_key(b, to_move, ko_rule):
    """What may not occur twice, never 0."""
    key = b.hash
    if ko_rule == SITUATIONAL and to_move == U2:
        key ^= WHITE_TO_MOVE
    return key | U1


@inner
def _was_seen(seen, key):
    i = (key >> u64(20)) & u64(SEEN_SLOTS - 1)
    while seen[i] != U0:
        if seen[i] == key:
            return True
        i = (i + U1) & u64(SEEN_SLOTS - 1)
    return False


@inner
def _repeats(root, s, key):
    """Whether the game or the line to here had a position before."""
    for i in range(s.depth):
        if s.keys[i] == key:
            return True
    return _was_seen(root.seen, key)


# --- New nodes ----------------------------------------------------------------------------


@inner
def _list_even(b, c, prior):
    """All legal moves and the pass, equally likely: what is known without a model."""
    n = U0
    for row in range(b.size):
        start = u64((row + 1) * STRIDE + 1)
        for v in range(start, start + b.size):
            if is_legal(b, v, c):
                prior.points[n] = v
                prior.probability[n] = np.float32(1.0)
                n += U1
    prior.points[n] = 0
    prior.probability[n] = np.float32(1.0)
    prior.n = n + U1


@inner
def _favour_critical(s, prior, strength):
    """Make moves likelier where games are decided: at points whose owner tends to win.

    That is the covariance of a point's owner and the winner in this search's playouts so far; as
    long as they are few, it counts less.
    """
    balance = np.float64(s.balance) / np.float64(max(s.results, 1))
    scale = strength / (np.float64(s.playouts) + _CRITICAL_PLAYOUTS)
    for i in range(prior.n):
        v = u64(prior.points[i])
        critical = np.float64(s.owned_by_winner[v]) - np.float64(s.owned[v]) * balance
        prior.probability[i] *= np.float32(np.exp(scale * critical))


@inner
def _drop_eyes(b, c, prior):
    """Leave out moves that fill an own eye, and make the rest add up to 1."""
    n = U0
    total = 0.0
    for i in range(prior.n):
        v = u64(prior.points[i])
        if v == U0 or not is_eye(b, v, c):
            prior.points[n] = v
            prior.probability[n] = prior.probability[i]
            prior.score[n] = prior.score[i]
            prior.is_futile[n] = prior.is_futile[i]
            total += np.float64(prior.probability[i])
            n += U1
    prior.n = n
    scale = np.float32(1.0 / max(total, 1e-12))
    for i in range(n):
        prior.probability[i] *= scale


@inner
def _sort_moves(prior, order):
    """Order the moves, the likeliest first; the earlier one of two that are alike."""
    n = prior.n
    for i in range(n):
        order[i] = i
    gap = U1
    while gap < n // u64(3):
        gap = gap * u64(3) + U1
    while gap > U0:
        for i in range(gap, n):
            x = u64(order[i])
            p = prior.probability[x]
            j = i
            while j >= gap:
                y = u64(order[j - gap])
                q = prior.probability[y]
                if q > p or (q == p and y < x):
                    break
                order[j] = y
                j -= gap
            order[j] = x
        gap //= u64(3)


@inner
def _write_prior_games(t, base, prior, order, games):
    """Equations (2) and (3): how many games a move starts with, and how many of them are won.

    A model's values are those it was trained for where 0 is neither good nor bad (`signed`), and
    otherwise they come from its probabilities.
    """
    n = prior.n
    total, largest, smallest = 0.0, 1e-9, -1e-9
    for i in range(n):
        v = np.float64(prior.score[i])
        if prior.is_signed == U0:
            v = value_by_probability(prior.probability[i], n)
            prior.score[i] = v
        total += abs(v)
        largest = max(largest, v)
        smallest = min(smallest, v)
    if total < _ALIKE * np.float64(n):
        for i in range(n):
            t.games[base + i], t.start[base + i] = games, 0.5
        return
    for i in range(n):
        v = np.float64(prior.score[u64(order[i])])
        t.games[base + i] = games * np.float64(n) / total * abs(v)
        t.start[base + i] = 0.5 * (1.0 + v / largest) if v >= 0.0 else 0.5 * (1.0 - v / smallest)


@inner
def _write_prior_wins(t, base, n, root):
    """Even games, and won ones by the root of the probability."""
    games, start = np.float64(root.guide.games), np.float64(root.guide.start)
    for j in range(base, base + n):
        wins = root.prior_wins * np.sqrt(np.float64(t.prior[j]))
        t.games[j] = games + wins
        t.start[j] = (games * start + wins) / max(games + wins, 1e-9)


@inner
def _write_children(t, base, root, s, prior):
    order = s.order
    for i in range(prior.n):
        j = base + i
        m = u64(order[i])
        t.stats[j] = U0
        t.rave[j] = U0
        t.prior[j] = prior.probability[m]
        t.first[j] = 0
        t.count[j] = 0
        t.state[j] = FUTILE * np.uint32(prior.is_futile[m])
        t.move[j] = prior.points[m]
    if root.guide.selection == BY_PRIOR:
        _write_prior_games(t, base, prior, order, root.prior_games)
    elif root.guide.selection == WINS:
        _write_prior_wins(t, base, prior.n, root)


@inner
def expand(t, control, node, root, s, prior):
    """Give a node its children, unless another thread is about to, or the arena is full."""
    state = look(t.state, node)
    if state & (EXPANDED | EXPANDING) != 0 or control[FULL] != U0:
        return
    if not swap_if(t.state, node, state, state | EXPANDING):
        return
    started = cycles()
    b = s.board
    if prior.function == U0:
        _list_even(b, s.color, prior)
    else:
        prior.color = s.color
        call(prior.function, prior)
    if root.criticality != 0.0:
        _favour_critical(s, prior, root.criticality)
    _drop_eyes(b, s.color, prior)
    base = fetch_add(control, NODES, prior.n)
    if base + prior.n > u64(len(t.stats)):
        # The count stays too high: others may have drawn their room behind this one already, and
        # taking it back would hand that out twice.
        control[FULL] = U1
        publish(t.state, node, state)
    else:
        _sort_moves(prior, s.order)
        _write_children(t, base, root, s, prior)
        t.count[node] = prior.n
        publish(t.first, node, np.uint32(base))
        fetch_or(t.state, node, EXPANDED)
        s.expansions += U1
    s.prior_cycles += cycles() - started


# --- Down ---------------------------------------------------------------------------------


@inner
def _begin(t, root, s):
    copy_record(s.board, root.board)
    copy_record(s.moment, root.moment)
    s.color = root.color
    s.passed = root.passed
    s.depth = U0
    s.path[0] = 0
    fetch_add(t.stats, U0, ONE_VISIT)


@inner
def _step(t, root, s, child):
    """Walk to a child; False if that repeats a position, which bars it for ever."""
    v = u64(t.move[child])
    b = s.board
    s.keys[s.depth] = position_key(b, s.color, root.ko_rule)
    s.moves[s.depth] = v
    if v == U0:
        pass_move(b)
    else:
        place(b, v, s.color)
    s.depth += U1
    s.color = U3 - s.color
    state = look(t.state, child)
    if state & LEGAL == 0:
        if v != U0 and root.ko_rule != SIMPLE_KO:
            key = position_key(b, s.color, root.ko_rule)
            if _repeats(root, s, key):
                fetch_or(t.state, child, ILLEGAL)
                return False
        fetch_or(t.state, child, LEGAL)
    go_on(s.moment, v)
    s.path[s.depth] = child
    fetch_add(t.stats, child, ONE_VISIT)
    return True


@inner
def _take_back(t, s):
    """Take the visits back that a line left which led nowhere."""
    for i in range(s.depth):
        fetch_add(t.stats, u64(s.path[i]), U0 - ONE_VISIT)


# --- The result ---------------------------------------------------------------------------


@inner
def _note_result(root, s, area, black_wins):
    """Add a result up: Black's area, and 1, 0 or -1 for who won."""
    s.results += 1
    s.balance += black_wins
    s.score += np.float64(area)
    s.score_squares += np.float64(area) * np.float64(area)
    s.histogram[area + AREA] += 1


@inner
def _count(s, komi):
    """Black's area minus White's at the end of a playout; points are noted by owner."""
    b = s.board
    lead = 0
    for row in range(b.size):
        start = u64((row + 1) * STRIDE + 1)
        for v in range(start, start + b.size):
            owner = owner_of(b, v)
            s.owner[v] = np.uint8(owner + 1)
            lead += owner
    sign = np.int64(lead > komi) - np.int64(lead < komi)
    for row in range(b.size):
        start = u64((row + 1) * STRIDE + 1)
        for v in range(start, start + b.size):
            owner = np.int64(s.owner[v]) - 1
            s.owned[v] += owner
            s.owned_by_winner[v] += owner * sign
    return lead


@inner
def _count_exactly(s):
    """Black's area minus White's when both have passed: every stone stays where it is.

    It says nothing of who owns a point: dead stones count here, as long as nobody takes them.
    """
    b = s.board
    find_owners(b, s.marks, s.owner, s.queue)
    lead = 0
    for row in range(b.size):
        start = u64((row + 1) * STRIDE + 1)
        for v in range(start, start + b.size):
            lead += np.int64(s.owner[v] == BLACK) - np.int64(s.owner[v] == WHITE)
    return lead


@inner
def _black_value(root, lead, komi):
    """What a result is worth to Black, from 0 to 1: winning, and a little the margin."""
    margin = np.float64(lead) - komi
    won = 0.5
    if margin > 0.0:
        won = 1.0
    elif margin < 0.0:
        won = 0.0
    points = np.float64(root.board.size * root.board.size)
    by_margin = 0.5 + 0.5 * margin / (abs(margin) + 0.1 * points)
    return won + root.score_weight * (by_margin - won)


@inner
def _terminal_value(t, root, s):
    """Both have passed: count, and mark the last node as proven."""
    lead = _count_exactly(s)
    margin = np.float64(lead) - root.true_komi
    node = u64(s.path[s.depth])
    sign = np.int64(margin > 0.0) - np.int64(margin < 0.0)
    if sign != 0:
        # The side to move is not the one that made the last move.
        mover_is_black = s.color == U2
        fetch_or(t.state, node, WON if (sign > 0) == mover_is_black else LOST)
    _note_result(root, s, lead, sign)
    return _black_value(root, lead, root.true_komi)


@inner
def _proven_value(s, state):
    """The value for Black of a node that is proven."""
    mover_is_black = s.color == U2
    return 1.0 if (state & WON != 0) == mover_is_black else 0.0


@inner
def _playout_value(root, s, play, work):
    play.color = s.color
    play.last = u64(s.moves[s.depth - U1]) if s.depth >= U1 else root.moment.moves[0]
    play.before = root.moment.moves[U1 - min(s.depth, U1)]
    if s.depth >= U2:
        play.before = u64(s.moves[s.depth - U2])
    started = cycles()
    call(play.function, play)
    s.playout_cycles += cycles() - started
    s.playout_moves += np.int64(work.n_moves)
    s.playouts += 1
    lead = _count(s, root.komi)
    _note_result(root, s, lead, np.int64(lead > root.komi) - np.int64(lead < root.komi))
    return _black_value(root, lead, root.komi)


# --- Up -----------------------------------------------------------------------------------


@inner
def _all_lost(t, node):
    """Whether every move from a node is a proven loss for the side that would make it."""
    first = u64(t.first[node])
    for i in range(u64(t.count[node])):
        if t.state[first + i] & (LOST | BARRED) == 0:
            return False
    return True


@inner
def _prove(t, s):
    """Carry what is proven of the last node up the line as far as it decides."""
    d = s.depth
    while d > U0:
        state = look(t.state, u64(s.path[d]))
        parent = u64(s.path[d - U1])
        if state & WON != 0:
            fetch_or(t.state, parent, LOST)
        elif state & LOST != 0 and _all_lost(t, parent):
            fetch_or(t.state, parent, WON)
        else:
            return
        d -= U1


@inner
def _add_values(t, root, s, value):
    """Give every node of the line the value of its mover."""
    mover_is_black = root.color == U2
    for d in range(s.depth + U1):
        worth = value if mover_is_black else 1.0 - value
        fetch_add(t.stats, u64(s.path[d]), u64(worth * VALUE_UNIT + 0.5))
        mover_is_black = not mover_is_black


@inner
def _add_rave(t, node, s, c, d, total, root, worth):
    """Credit the children of a node whose move was made later, by the same side and first.

    `first` holds who plays a point first from the node's depth on, and when. A thread that is
    alone needs no atomic additions. Among several, each keeps the root's for a while: they all
    would write to the same few cache lines in every simulation, and wait for each other.
    """
    first = u64(t.first[node])
    slope = (root.rave_early - 1.0) / np.float64(max(total - d, U1))
    for i in range(u64(t.count[node])):
        entry = u64(s.first[u64(t.move[first + i])])
        if entry & U3 == c:
            weight = root.rave_early - slope * np.float64((entry >> U2) - d)
            units = u64(weight * RAVE_UNIT + 0.5)
            credit = (units << RAVE_BITS) | u64(worth * np.float64(units) + 0.5)
            if root.is_shared == U0:
                t.rave[first + i] += credit
            elif node == U0:
                s.root_rave[i] += credit
            else:
                fetch_add(t.rave, first + i, credit)


@inner
def _share_root_rave(t, s):
    """Add to the tree what this thread has kept of the root's moves."""
    first = u64(t.first[0])
    for i in range(u64(t.count[0])):
        if s.root_rave[i] != U0:
            fetch_add(t.rave, first + i, s.root_rave[i])
            s.root_rave[i] = U0


@inner
def _backup_rave(t, root, s, work, value):
    """Go back through all moves of the simulation, and credit each node of the line in turn."""
    for v in range(POINTS):
        s.first[v] = 0
    total = s.depth + work.n_moves
    i = total
    c = U3 - s.color if work.n_moves & U1 == U0 else s.color
    while i > U0:
        i -= U1
        v = u64(s.moves[i]) if i < s.depth else u64(work.moves[i - s.depth])
        if v != U0:
            s.first[v] = (i << U2) | c
        if i <= s.depth and t.first[u64(s.path[i])] != 0:
            worth = value if c == U1 else 1.0 - value
            _add_rave(t, u64(s.path[i]), s, c, i, total, root, worth)
        c = U3 - c


@inner
def _patience(t, root):
    """How many visits a node waits for its children: a few in a small tree, where each node
    matters more, and more in a grown one, where the model would take time that playouts need."""
    late = root.expand_at - root.expand_early
    return root.expand_early + late * min(visits_of(t.stats[0]), _GROWN) // _GROWN


@inner
def simulate(t, control, root, s, play, work, prior):
    """Run one simulation; False if it met a repetition and must be run again."""
    _begin(t, root, s)
    work.n_moves = U0
    patience = _patience(t, root)
    while True:
        node = u64(s.path[s.depth])
        state = look(t.state, node)
        if s.depth > U0 and state & (WON | LOST) != 0:
            value = _proven_value(s, state)
            _prove(t, s)
            break
        if state & EXPANDED == 0 and (s.depth == U0 or visits_of(t.stats[node]) > patience):
            expand(t, control, node, root, s, prior)
            state = look(t.state, node)
        child = U0
        if state & EXPANDED != 0 and s.depth < u64(MAX_DEPTH):
            child = select(t, node, root.guide, s.values)
        if child == U0:
            value = _playout_value(root, s, play, work)
            break
        passed = s.passed
        if not _step(t, root, s, child):
            _take_back(t, s)
            return False
        s.passed = u64(t.move[child] == 0)
        if passed != U0 and s.passed != U0:
            value = _terminal_value(t, root, s)
            _prove(t, s)
            break
    _add_values(t, root, s, value)
    if root.guide.rave_on != np.float32(0.0):
        _backup_rave(t, root, s, work, value)
    return True


# --- The entry point ----------------------------------------------------------------------


@inner
def _is_decided(t, remaining):
    """Whether the second most visited move can't catch up any more, or there is a sure win.

    Moves that can't be chosen have no say, however often they were visited; and while the root
    has no moves yet, because its first thread is still asking the model, nothing is decided."""
    first = u64(t.first[0])
    if first == U0:
        return False
    best, second = U0, U0
    open_moves = U0
    for j in range(first, first + u64(t.count[0])):
        state = t.state[j]
        if state & (LOST | BARRED) != 0:
            continue
        if state & WON != 0:
            return True
        n = visits_of(t.stats[j])
        if n > best:
            best, second = n, best
        elif n > second:
            second = n
        open_moves += U1
    return best > second + remaining or open_moves == U0


@kernel
def run_simulations(t, control, roots, simulations, plays, works, priors):
    """Run simulations until the control words say stop; any number of threads may."""
    root, s, play, work, prior = roots[0], simulations[0], plays[0], works[0], priors[0]
    began = cycles()
    limit = control[LIMIT]
    while look(control, STOP) == U0:
        done = fetch_add(control, SIMS, U1)
        if done >= limit:
            fetch_add(control, SIMS, U0 - U1)
            break
        while not simulate(t, control, root, s, play, work, prior):
            pass
        may_stop = root.early_stop != U0 and done >= root.early_stop
        if may_stop and done % _DECISION_EVERY == U0 and _is_decided(t, limit - done):
            control[DECIDED] = U1
            control[STOP] = U1
        if root.is_shared != U0 and done % _ROOT_RAVE_EVERY == U0:
            _share_root_rave(t, s)
        if look(control, FULL) != U0:
            break
    if root.is_shared != U0:
        _share_root_rave(t, s)
    s.cycles += cycles() - began
