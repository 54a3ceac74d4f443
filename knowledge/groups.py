"""What a move is told by: every feature group with its values, each with a name and a sentence.

Training, search, plots and explanations all take names and numbers from here. A move has at most
one value of each group; where several of a group's values fit, the first one listed counts. Values
are numbered from 0 in the order of the list. Groups marked `learned` have no fixed list: their
values are the entries of a dictionary of patterns.

The words of the definitions:

- v is the point of the move, legal by simple ko and without suicide; a pass has a value of the
  group `pass` or `pass_phase` and of no other. "Own" is the mover's, "enemy" the opponent's.
- A chain "at v" is one that touches v, so that v is one of its liberties. Chains and liberties
  are those before the move. "The new chain" is the one with the stone at v, after the captures;
  what it has, it has after the move.
- last, second, third and fourth are the points of the moves before this one, the latest first.
  A pass, and a move before the first, is none: then what needs it has no value. Stones that
  were set up are not moves. A stone may have been taken off since, the point still counts.
- "The last stone" is the enemy stone at last, if there is one (not after a pass, a suicide or two
  moves in a row by one side), and "the last chain" its chain. A chain is "newly in atari" if it is
  own, in atari and touches the last stone: then it was the last move that put it there.
- d is |dx| + |dy| + max(|dx|, |dy|): 2 for a neighbour, 3 for a diagonal, never 1.
- line and position are the smaller and the larger of v's two distances to the nearest sides,
  the points at the edge being on line 1.
- "Barred by ko": the ko rule forbids the mover a point now.

Ladders, by the reader of `engine/tactics/ladders.py` with its own limit; giving up is an escape:
- a chain in atari, of either side, is "lost" if it is captured though its owner moves first;
- an own chain with two liberties is "threatened" if the enemy, moving first, captures it;
- "a ladder works" at v against an enemy chain with two liberties at v if it is captured after the
  mover's stone at v, its owner to move.
So a chain is read once, and a second time only for the other liberty of an enemy chain that was
captured from the first.
"""

from __future__ import annotations

from knowledge.feature_group import Group, Value, axis, count, cross, single

# --- The groups of the MM paper, Table 1 ----------------------------------------------------

# After the last move, or as the first of a game; after a pass.
PASS_AFTER_MOVE, PASS_AFTER_PASS = range(2)
_PASS = Group(
    "pass",
    "The move is a pass.",
    axis(
        ("after move", "a pass, and the previous move was no pass"),
        ("after pass", "a pass in answer to a pass"),
    ),
)

# v is the only liberty of at least one enemy chain; "a taken chain" is any of them.
# saves: a taken chain touches an own chain that is newly in atari.
# recaptures: the last chain is taken, and the last move had itself captured (n_removed > 0).
# parts: v touches the last chain, which is not taken.
# escaper: a taken chain is not lost. lost: all of them are.
CAPTURE_SAVES, CAPTURE_RECAPTURES, CAPTURE_PARTS, CAPTURE_ESCAPER, CAPTURE_LOST = range(5)
_CAPTURE = Group(
    "capture",
    "The move captures.",
    axis(
        ("saves", "takes stones beside an own chain that the last move put in atari"),
        ("recaptures", "takes the last move, which had captured"),
        ("parts", "takes stones that could have connected to the last move"),
        ("escaper", "takes stones that could still have escaped"),
        ("lost", "takes stones that were lost in a ladder anyway"),
    ),
)

# v is the only liberty of at least one chain newly in atari.
# free: one of those chains is not lost. lost: all of them are.
EXTENSION_FREE, EXTENSION_LOST = range(2)
_EXTENSION = Group(
    "extension",
    "The move extends a chain that the last move put in atari.",
    axis(
        ("free", "extends a chain newly in atari that isn't lost in a ladder"),
        ("lost", "extends a chain newly in atari that is lost in a ladder"),
    ),
)

# The new chain has exactly one liberty.
SELF_ATARI_YES = 0
_SELF_ATARI = single("self_atari", "puts its own chain in atari")

# At least one enemy chain at v has exactly two liberties.
# ladder: a ladder works at v against one of those chains. ko: barred by ko. other: neither.
ATARI_LADDER, ATARI_KO, ATARI_OTHER = range(3)
_ATARI = Group(
    "atari",
    "The move leaves an enemy chain with one liberty.",
    axis(
        ("ladder", "gives an atari with a ladder that works"),
        ("ko", "gives an atari while a ko can't be taken back"),
        ("other", "gives an atari"),
    ),
)

# line - 1; a line above the fourth has no value.
_BORDER = Group(
    "border",
    "The distance to the border, up to four.",
    count("the line from the border", range(1, 5), last_is_open=False),
)

# min(d, 17) - 2, of last or of second. d is 0 if the move was taken off: that has no value.
_D_FROM_2 = range(2, 18)
_DISTANCE_LAST = Group(
    "distance_last",
    "How far the previous move is.",
    count("the distance to the previous move", _D_FROM_2),
)
_DISTANCE_BEFORE = Group(
    "distance_before",
    "How far the move before the previous one is.",
    count("the distance to the move before the previous one", _D_FROM_2),
)

# n // 8, where the mover owns v in n of 63 light playouts at the end.
OWNER_PLAYOUTS = 63
_OWNER = Group(
    "owner",
    "How often the mover owns the point after 63 random games.",
    tuple(
        Value(f"{n}-{n + 7}", f"the mover owns the point in {n} to {n + 7} of 63 random games")
        for n in range(0, 64, 8)
    ),
)

# --- What the LFR paper tells with fewer levels ---------------------------------------------

# As `capture`, but saves: a taken chain touches an own chain in atari, new or not, and that
# chain is not in atari after the move.
SIMPLE_CAPTURE_SAVES, SIMPLE_CAPTURE_RECAPTURES, SIMPLE_CAPTURE_PARTS = range(3)
SIMPLE_CAPTURE_OTHER = 3
_SIMPLE_CAPTURE = Group(
    "simple_capture",
    "The move captures, told without ladders.",
    axis(
        ("saves", "takes stones so that an own chain is no longer in atari"),
        ("recaptures", "takes the last move, which had captured"),
        ("parts", "takes stones that could have connected to the last move"),
        ("other", "takes stones"),
    ),
)

# v is the only liberty of a chain newly in atari.
SIMPLE_EXTENSION_YES = 0
_SIMPLE_EXTENSION = single("simple_extension", "extends a chain newly in atari")

# At least one enemy chain at v has exactly two liberties. ko: barred by ko. other: not.
SIMPLE_ATARI_KO, SIMPLE_ATARI_OTHER = range(2)
_SIMPLE_ATARI = Group(
    "simple_atari",
    "The move leaves an enemy chain with one liberty, told without ladders.",
    axis(
        ("ko", "gives an atari while a ko can't be taken back"),
        ("other", "gives an atari"),
    ),
)

# --- What the FBT paper adds ----------------------------------------------------------------

# min(line, 5) - 1.
_LINE = Group("line", "The line from the nearest side.", count("the line", range(1, 6)))

# min(position, 10) - 1.
_POSITION = Group(
    "position",
    "The distance to the side across the line.",
    count("the distance to the side across", range(1, 11)),
)

# With 0 where the move goes back to the point: 0 if d is 0, else min(d, 17) - 1.
_D_FROM_0 = (0, *range(2, 18))
_DISTANCE_SECOND = Group(
    "distance_second",
    "How far the move before the previous one is, none at all included.",
    count("the distance to the second-last move", _D_FROM_0),
)

# Which rule of the rules policy (`engine/playout/rules.py`) would have drawn the move, its chances
# aside. "Allowed" is a move that is no own real eye and no bad self-atari. All but the last two
# need last and an allowed move; the first five need the last stone.
# take last: v is the only liberty of the last chain.
# save: for a chain newly in atari, v is its liberty and the new chain has two or more, or v is the
#   only liberty of an enemy chain that touches it.
# attack: the last chain has exactly two liberties, v is one, the new chain has two or more.
# defend: an own chain that touches the last stone has exactly two liberties, v is one, the new
#   chain has three or more.
# nakade: v is the vital point of an enemy eye space that the last stone touches (`vital_point` of
#   an empty neighbour of last which has an empty neighbour and `is_narrow`).
# shape: v is one of the eight points around last and makes one of the rules' 3x3 shapes.
# second shape: the same around second.
# capture: v captures, allowed or not. filtered: not allowed. What remains is drawn at random and
# has no value.
PLAYOUT_TAKE_LAST, PLAYOUT_SAVE, PLAYOUT_ATTACK, PLAYOUT_DEFEND, PLAYOUT_NAKADE = range(5)
PLAYOUT_SHAPE, PLAYOUT_SECOND_SHAPE, PLAYOUT_CAPTURE, PLAYOUT_FILTERED = range(5, 9)
_PLAYOUT = Group(
    "playout",
    "Which rule of the playouts would have played the move.",
    axis(
        ("take last", "captures the last move's chain"),
        ("save", "saves a chain that the last move put in atari"),
        ("attack", "attacks the last move's chain, which has two liberties"),
        ("defend", "strengthens a chain that the last move left with two liberties"),
        ("nakade", "takes the vital point of an eye space beside the last move"),
        ("shape", "makes a known shape beside the last move"),
        ("second shape", "makes a known shape beside the move before"),
        ("capture", "captures somewhere"),
        ("filtered", "is a move that playouts avoid: an own eye or a bad self-atari"),
    ),
)

# Only on line 3 with a position of 4 or more, so that one side is the nearest. Going along the
# third line, left and right are the steps to the first column in which a stone stands on the
# second, third or fourth line, or to the first one off the board.
# min(left + right + min(left, right), 20) - 3.
_SIDE_EXTENSION = Group(
    "side_extension",
    "The room along the side for a move on the third line.",
    count("the room along the side", range(3, 21)),
)

# All eight points around v are empty.
# 3-3 to 4-5: v's line and position. approach, enclosure: v is on line 3, and a stone, the enemy's
# or an own one, stands on a 4-4 point (line and position 4) a knight's move away.
CORNER_3_3, CORNER_3_4, CORNER_3_5, CORNER_4_4, CORNER_4_5 = range(5)
CORNER_APPROACH, CORNER_ENCLOSURE = 5, 6
_CORNER = Group(
    "corner",
    "Opening moves in a corner where nothing is near.",
    axis(
        ("3-3", "takes an open 3-3 point"),
        ("3-4", "takes an open 3-4 point"),
        ("3-5", "takes an open 3-5 point"),
        ("4-4", "takes an open 4-4 point"),
        ("4-5", "takes an open 4-5 point"),
        ("approach", "approaches an enemy 4-4 stone by a knight's move"),
        ("enclosure", "encloses from an own 4-4 stone by a knight's move"),
    ),
)

# Common-fate distance (`engine/tactics/distance.py`) from the point last: min(distance, 4) - 1, no
# value for 0. From second: min(distance, 4).
_CFG_LAST = Group(
    "cfg_last",
    "How far the previous move is, chains counted as one point.",
    count("the common-fate distance to the previous move", range(1, 5)),
)
_CFG_SECOND = Group(
    "cfg_second",
    "How far the second-last move is, chains counted as one point.",
    count("the common-fate distance to the second-last move", range(5)),
)

# --- For playouts: what `engine/playout/gamma.py` multiplies ------------------------------------
# Except contiguity and self-atari these need the last stone.

# v is the only liberty of the last chain.
REPLY_CAPTURE_YES = 0
_REPLY_CAPTURE = single("reply_capture", "captures the last move's chain")

# v is the only liberty of a chain newly in atari, and the new chain has two or more.
REPLY_EXTENSION_YES = 0
_REPLY_EXTENSION = single("reply_extension", "extends out of a new atari")

# v is a neighbour of last, a diagonal of last.
CONTIGUITY_BESIDE, CONTIGUITY_DIAGONAL = range(2)
_CONTIGUITY = Group(
    "contiguity",
    "The move touches the last move.",
    axis(("beside", "is beside the last move"), ("diagonal", "is diagonal to the last move")),
)

# Only if an own chain is at v and the new chain has one liberty; bad as `is_bad_self_atari`.
CHAIN_SELF_ATARI_BAD, CHAIN_SELF_ATARI_GOOD = range(2)
_CHAIN_SELF_ATARI = Group(
    "chain_self_atari",
    "The move puts an own chain in atari.",
    axis(
        ("bad", "puts an own chain in atari for nothing"),
        ("good", "puts an own chain in atari for a purpose"),
    ),
)

# --- The best set: finer tactics ----------------------------------------------------------------

# Numbers of stones in four classes: 1, 2, 3 to 6, 7 or more.
STONES_1, STONES_2, STONES_3_TO_6, STONES_7 = range(4)
STONE_CLASSES = 4
_STONES = axis(
    ("1 stone", "it is about one stone"),
    ("2 stones", "it is about two stones"),
    ("3-6 stones", "it is about three to six stones"),
    ("7+ stones", "it is about seven stones or more"),
)

# A pass: (1 if the previous move was a pass else 0) * 4 + phase // 3; see `line_phase`.
PASS_PHASES = 4
_PASS_PHASE = Group(
    "pass_phase",
    "The move is a pass, by the phase of the game.",
    cross(
        _PASS.values,
        axis(*((f"quarter {i}", f"in quarter {i} of a long game") for i in range(1, 5))),
    ),
)

# v captures. kind * STONE_CLASSES + class of the number of stones taken in all.
# rescues new: a taken chain touches a chain newly in atari. rescues: it touches another own chain
# in atari. recaptures: the last chain is taken, and the last move had captured. last, last lost:
# the last chain is taken, and is not lost, is lost. parts: v touches the last chain, which is not
# taken. escaper: a taken chain is not lost. lost: all are.
TAKE_RESCUES_NEW, TAKE_RESCUES, TAKE_RECAPTURES, TAKE_LAST, TAKE_LAST_LOST = range(5)
TAKE_PARTS, TAKE_ESCAPER, TAKE_LOST = range(5, 8)
_TAKE = Group(
    "take",
    "The move captures: what for, and how much.",
    cross(
        axis(
            ("rescues new", "takes stones beside an own chain newly in atari"),
            ("rescues", "takes stones beside an own chain in atari"),
            ("recaptures", "takes the last move, which had captured"),
            ("last", "takes the last move's chain, which could escape"),
            ("last lost", "takes the last move's chain, which can't escape"),
            ("parts", "takes stones that could have connected to the last move"),
            ("escaper", "takes stones that could still have escaped"),
            ("lost", "takes stones that were lost in a ladder anyway"),
        ),
        _STONES,
    ),
)

# v is the only liberty of at least one own chain; "the saved" are all those chains together.
# (age * 4 + outcome) * STONE_CLASSES + class of the number of stones of the saved.
# Age: new if one of the saved is newly in atari, else old. Outcome, by the new chain's liberties:
# dies: one; ladder: two, and all of the saved are lost; two: two, and one of them isn't;
# free: three or more.
SAVE_NEW, SAVE_OLD = range(2)
SAVE_DIES, SAVE_LADDER, SAVE_TWO, SAVE_FREE = range(4)
SAVE_OUTCOMES = 4
_SAVE = Group(
    "save",
    "The move extends own stones in atari: with what success, and how many.",
    cross(
        axis(
            ("new", "extends a chain that the last move put in atari"),
            ("old", "extends a chain that was in atari before"),
        ),
        axis(
            ("dies", "and stays in atari"),
            ("ladder", "and gets two liberties but is lost in a ladder"),
            ("two", "and gets two liberties"),
            ("free", "and gets three liberties or more"),
        ),
        _STONES,
    ),
)

# The own chains at v with two liberties or more; the fewest that one of them has must be 2 to 4.
# weakness * 5 + min(liberties of the new chain, 5) - 1.
# Weakness: threatened: 2, and one of those with 2 is threatened; then 2, 3, 4.
OWN_LIBERTIES_THREATENED, OWN_LIBERTIES_2, OWN_LIBERTIES_3, OWN_LIBERTIES_4 = range(4)
OWN_LIBERTIES_AFTER = 5
_OWN_LIBERTIES = Group(
    "own_liberties",
    "How a weak own chain's liberties change by a move that touches it.",
    cross(
        axis(
            ("threatened", "an own chain has two liberties and is threatened by a ladder"),
            ("2", "an own chain has two liberties"),
            ("3", "an own chain has three liberties"),
            ("4", "an own chain has four liberties"),
        ),
        axis(
            *((f"to {n}", f"and the new chain has {n}") for n in range(1, 5)),
            ("to 5+", "and the new chain has five or more"),
        ),
    ),
)

# "The attacked" are the enemy chains at v that have exactly two liberties; there is at least one.
# big ladder: a ladder works at v against one of three stones or more. ladder: against one.
# double: there are two or more attacked. wrong side: against one of them a ladder works at its
# other liberty. ko: barred by ko. last: the last chain is among them. big: one has three stones
# or more. other: none of these.
THREAT_BIG_LADDER, THREAT_LADDER, THREAT_DOUBLE, THREAT_WRONG_SIDE = range(4)
THREAT_KO, THREAT_LAST, THREAT_BIG, THREAT_OTHER = range(4, 8)
_THREAT = Group(
    "threat",
    "The move gives an atari: of what kind.",
    axis(
        ("big ladder", "starts a ladder that takes three stones or more"),
        ("ladder", "starts a ladder that works"),
        ("double", "gives a double atari"),
        ("wrong side", "gives an atari where only the other side's would start a ladder"),
        ("ko", "gives an atari while a ko can't be taken back"),
        ("last", "puts the last move's chain in atari"),
        ("big", "puts three stones or more in atari"),
        ("other", "gives an atari"),
    ),
)

# The new chain has exactly one liberty. good: not `is_bad_self_atari`. small: bad, and the new
# chain has one or two stones. big: bad, and it has more.
SELF_ATARI_KIND_GOOD, SELF_ATARI_KIND_SMALL, SELF_ATARI_KIND_BIG = range(3)
_SELF_ATARI_KIND = Group(
    "self_atari_kind",
    "The move leaves its own chain with one liberty: with what purpose.",
    axis(
        ("good", "puts its own chain in atari for a purpose"),
        ("small", "puts one or two own stones in atari for nothing"),
        ("big", "puts three own stones or more in atari for nothing"),
    ),
)

# own * CONTACT_STATES + enemy - 1, no value if both are 0. The state of a side: 0 if none of its
# chains is at v, else min(the fewest liberties of one, 4), plus 4 if there are two or more chains.
CONTACT_STATES = 9
_CONTACT = Group(
    "contact",
    "Which chains the move touches, connects and cuts, and how weak they are.",
    cross(
        *(
            axis(
                (f"no {side}", f"touches no {side} chain"),
                *((f"1 {side} {n}", f"touches one {side} chain, of {n} liberties") for n in "123"),
                (f"1 {side} 4+", f"touches one {side} chain, of four liberties or more"),
                *(
                    (f"2 {side} {n}", f"touches several {side} chains, the weakest of {n}")
                    for n in ("1", "2", "3", "4+")
                ),
            )
            for side in ("own", "enemy")
        )
    )[1:],
)

# own real, own false, enemy real, enemy false: what v is by `eye_kind`.
# guards: v is a diagonal of an own real eye that an enemy stone at v would make false.
# spoils: v is a diagonal of an enemy real eye that an own stone at v makes false.
EYE_OWN_REAL, EYE_OWN_FALSE, EYE_ENEMY_REAL, EYE_ENEMY_FALSE, EYE_GUARDS, EYE_SPOILS = range(6)
_EYE = Group(
    "eye",
    "What the point is to an eye.",
    axis(
        ("own real", "fills an own eye"),
        ("own false", "fills an own false eye"),
        ("enemy real", "plays into an enemy eye"),
        ("enemy false", "plays into an enemy false eye"),
        ("guards", "keeps an own eye from becoming false"),
        ("spoils", "makes an enemy eye false"),
    ),
)

# take: v captures exactly one stone and the new chain is one stone with one liberty. fill: an
# enemy move at v, were it allowed, would be such a capture. threat: barred by ko, and v captures
# or an enemy chain at v has exactly two liberties.
KO_TAKE, KO_FILL, KO_THREAT = range(3)
_KO = Group(
    "ko",
    "What the move has to do with a ko.",
    axis(
        ("take", "takes a ko"),
        ("fill", "fills a ko that the enemy could take"),
        ("threat", "captures or gives an atari while a ko can't be taken back"),
    ),
)

# v is legal, no liberty of the prey but a neighbour of both of its liberties, and captures or
# gives the new chain two liberties or more. The prey is an enemy chain with two liberties against
# which a ladder works at neither. All its escapes fail, by the rules of `engine/tactics/nets.py`.
# big: for a prey of three stones or more. small: for a smaller one.
NET_BIG, NET_SMALL = range(2)
_NET = Group(
    "net",
    "The move catches an enemy chain in a tight net.",
    axis(
        ("big", "nets three stones or more"),
        ("small", "nets one or two stones"),
    ),
)

# --- The best set: where and when ----------------------------------------------------------------

# With l = min(line, 10) - 1 and p = min(position, 10) - 1: l * (19 - l) // 2 + p.
_PLACE = Group(
    "place",
    "Line and position together, as far as ten.",
    tuple(
        Value(f"{line}-{position}", f"is on line {line}, {position} from the side across")
        for line in range(1, 11)
        for position in range(line, 11)
    ),
)

# phase * 5 + min(line, 5) - 1, with phase = min(n * 361 // (30 * size * size), 11) after n moves,
# passes counted and stones that were set up not. On 19x19 a phase is 30 moves.
PHASES = 12
_LINE_PHASE = Group(
    "line_phase",
    "The line in each phase of the game.",
    cross(
        axis(*((f"phase {i}", f"in phase {i} of 12") for i in range(1, PHASES + 1))),
        axis(*((f"line {name}", sentence) for name, sentence in _LINE.values)),
    ),
)

# The context of a move: min(the fewest liberties of an own chain that touches the last stone, 4)
# - 1, and 3 if there is none. context * 16 + min(d, 17) - 2 for last, no value if d is 0; for the
# others context * 17 + (0 if d is 0 else min(d, 17) - 1).
CONTEXTS = 4
_CONTEXT = axis(
    ("left 1", "after a move that left a neighbour one liberty"),
    ("left 2", "after a move that left a neighbour two liberties"),
    ("left 3", "after a move that left a neighbour three liberties"),
    ("left 4+", "after a move that left no neighbour short of liberties"),
)
_LAST_CONTEXT = Group(
    "last_context",
    "How far the previous move is, by what it did to its neighbours.",
    cross(_CONTEXT, _DISTANCE_LAST.values),
)
_SECOND_CONTEXT, _THIRD_CONTEXT, _FOURTH_CONTEXT = (
    Group(
        f"{which}_context",
        f"How far the {which}-last move is, by what the previous move did to its neighbours.",
        cross(_CONTEXT, count(f"the distance to the {which}-last move", _D_FROM_0)),
    )
    for which in ("second", "third", "fourth")
)

# theirs * 5 + ours - 1, no value if both are 0. Theirs: min(liberties of the last chain, 4) if v
# is one of them, else 0. Ours: min(the fewest liberties, 4) over the own chains at v that touch
# the last stone, 0 if there is none.
ANSWER_STATES = 5
_ANSWER = Group(
    "answer",
    "The move is a liberty of the last move's chain, or of an own chain beside the last move.",
    cross(
        *(
            axis(
                (f"no {side}", f"is no liberty of {what}"),
                *((f"{side} {n}", f"is one of {n} liberties of {what}") for n in "123"),
                (f"{side} 4+", f"is one of four or more liberties of {what}"),
            )
            for side, what in (
                ("theirs", "the last move's chain"),
                ("ours", "an own chain beside the last move"),
            )
        )
    )[1:],
)

# min(d, 20) - 2 to the closest stone of a colour anywhere, no value if it has none.
_NEAREST_OWN, _NEAREST_ENEMY = (
    Group(
        f"nearest_{side}",
        f"How far the closest {side} stone is.",
        count(f"the distance to the closest {side} stone", range(2, 21)),
    )
    for side in ("own", "enemy")
)

# own * 6 + enemy. A side's class is the number of INFLUENCE_STEPS that its sum reaches; the sum
# adds 10 - d for each of its stones with d < 10.
INFLUENCE_REACH = 10
INFLUENCE_STEPS = (1, 6, 12, 20, 32)
_INFLUENCE_CLASSES = ("0", "1-5", "6-11", "12-19", "20-31", "32+")
_INFLUENCE = Group(
    "influence",
    "How much own and enemy stones weigh on the point.",
    cross(
        *(
            axis(*((f"{side} {n}", f"{side} stones weigh {n}") for n in _INFLUENCE_CLASSES))
            for side in ("own", "enemy")
        )
    ),
)

# Of n playouts Black wins b and White w (n - b - w are drawn); Black owns v in x of them, White
# in y, and in k the winner owns it. With c = (n * k - x * b - y * w) / (n * n), the number of
# CRITICALITY_STEPS that 100 * c reaches.
CRITICALITY_STEPS = (0, 2, 5, 8, 12, 16, 20)
_CRITICALITY_CLASSES = ("below 0", "0-2", "2-5", "5-8", "8-12", "12-16", "16-20", "20+")
_CRITICALITY = Group(
    "criticality",
    "How much winning goes together with owning the point, beyond chance, in hundredths.",
    axis(*((name, f"criticality of {name} hundredths") for name in _CRITICALITY_CLASSES)),
)

# --- Patterns -------------------------------------------------------------------------------------

_SHAPE = Group(
    "shape",
    "The largest known pattern of stones around the point, of fourteen nested sizes.",
    learned=True,
)
_SHAPE3X3 = Group(
    "shape3x3",
    "The stones on the eight points around, the same in every turn, mirror and colour.",
    learned=True,
)
_LIBERTY_SHAPE = Group(
    "liberty_shape",
    "The largest known pattern of stones with their chains' liberties, in classes 1, 2 and 3+.",
    learned=True,
)
_MARKED_SHAPE = Group(
    "marked_shape",
    "The largest known pattern of stones and liberties with the last move marked.",
    learned=True,
)
_RESPONSE = Group(
    "response",
    "The largest known pattern around the last move, with where the move is from there.",
    learned=True,
)

# The order is part of the weights' meaning: new groups go to the end.
GROUPS: tuple[Group, ...] = (
    _PASS, _CAPTURE, _EXTENSION, _SELF_ATARI, _ATARI, _BORDER, _DISTANCE_LAST, _DISTANCE_BEFORE,
    _OWNER, _SIMPLE_CAPTURE, _SIMPLE_EXTENSION, _SIMPLE_ATARI, _LINE, _POSITION,
    _DISTANCE_SECOND, _PLAYOUT, _SIDE_EXTENSION, _CORNER, _CFG_LAST, _CFG_SECOND,
    _REPLY_CAPTURE, _REPLY_EXTENSION, _CONTIGUITY,
    _CHAIN_SELF_ATARI, _PASS_PHASE, _TAKE, _SAVE, _OWN_LIBERTIES, _THREAT, _SELF_ATARI_KIND,
    _CONTACT, _EYE, _KO, _NET, _PLACE, _LINE_PHASE, _LAST_CONTEXT, _SECOND_CONTEXT,
    _THIRD_CONTEXT, _FOURTH_CONTEXT, _ANSWER, _NEAREST_OWN, _NEAREST_ENEMY, _INFLUENCE,
    _CRITICALITY, _SHAPE, _SHAPE3X3, _LIBERTY_SHAPE, _MARKED_SHAPE, _RESPONSE,
)  # fmt: skip
BY_NAME = {group.name: group for group in GROUPS}

# --- Sets of groups -------------------------------------------------------------------------------

_FBT = (
    "pass", "capture", "extension", "self_atari", "atari", "distance_last", "line", "position",
    "distance_second", "playout", "side_extension", "corner", "cfg_last", "cfg_second",
)  # fmt: skip

# The groups of each set, in the order of GROUPS.
SETS: dict[str, tuple[str, ...]] = {
    # The MM paper's ten, shapes of d 3 to 10.
    "mm": (
        "pass", "capture", "extension", "self_atari", "atari", "border", "distance_last",
        "distance_before", "owner", "shape",
    ),
    # The LFR paper's nine.
    "lfr": (
        "pass", "self_atari", "border", "distance_last", "distance_before", "simple_capture",
        "simple_extension", "simple_atari", "shape",
    ),
    # The FBT paper's two.
    "small": (*_FBT, "shape3x3"),
    "large": (*_FBT, "shape"),
    # What playouts multiply.
    "light": (
        "reply_capture", "reply_extension", "contiguity", "chain_self_atari", "shape3x3",
    ),
    # The most that a search can pay for.
    "best": (
        "playout", "side_extension", "corner", "cfg_last", "cfg_second", "pass_phase", "take",
        "save", "own_liberties", "threat", "self_atari_kind", "contact", "eye", "ko", "net",
        "place", "line_phase", "last_context", "second_context", "third_context",
        "fourth_context", "answer", "nearest_own", "nearest_enemy", "influence", "shape",
        "liberty_shape", "marked_shape", "response",
    ),
}  # fmt: skip

# These need playouts from the position, so a set has them only where that is paid for.
NEED_PLAYOUTS = ("owner", "criticality")
