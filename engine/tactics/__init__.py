"""Tactics: what a move or a chain is worth at a glance, or after a little reading.

eyes.py      eyes of one point: real, false, none
life.py      unconditional life, simple seki, the bent four in the corner
nakade.py    small eye spaces: vital points, dead shapes, reading with stones inside
atari.py     captures, ataris, self-atari and when it is good, ways out of atari
ladders.py   ladders: whether a chain with one or two liberties can be run down
nets.py      nets: whether a chain can be caught loosely
distance.py  distance in the common-fate graph
sweep.py     the same questions asked on many boards, for the benchmark
"""
