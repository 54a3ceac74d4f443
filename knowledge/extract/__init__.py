"""The kernels behind `knowledge/features.py`: a position in, one row of feature ids a move out.

facts.py      the memory: what a set wants, what came before, what is known of a position
chains.py     each chain's liberties, and how chains relate to the last move
reading.py    ladders and nets, told to the points where they begin
moves.py      the legal moves, the chains beside them and the liberties they lead to
tactics.py    the groups about captures, ataris, liberties, eyes and ko
places.py     the groups about lines, distances and the opening
surroundings.py  stones near and far: closest stones and influence
owners.py     the groups that need playouts
columns.py    the patterns' groups
position.py   all of it in order
"""
