"""Playouts: games played to the end by a fast policy, to see who wins.

light.py     uniformly random moves that fill no own eye: the yardstick for the board's speed
shapes.py    the 3x3 shapes that strong players' moves make, as tables by neighbourhood code
replies.py   answers to the last move: atari, two liberties, nakade, shapes around it
rules.py     the rules policy: answers in order, then anything
gamma.py     moves drawn in proportion to a product of learned weights, kept up incrementally
mixed.py     the rules' answers, with gammas where the rules guess
run.py       a loop for each policy: play to the end, count, say who owns what
policy.py    the Python face: a policy by name with its settings
"""

POLICIES = ("light", "rules", "gamma", "mixed")
