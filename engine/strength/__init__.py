"""The strength tables of the papers, played again: `tables.py` says which matches, `running.py`
plays them, `pages.py` writes ours beside theirs.
"""
