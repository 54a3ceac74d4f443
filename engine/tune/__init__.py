"""Tuning by games: parameters are tried out in small matches, and what wins is recommended.

`space.py` says what may be tried, `optimiser.py` what to try next, `trials.py` keeps what was
tried, `smoothing.py` tells what is best, `run.py` plays, `report.py` draws. `screening.py` finds
out beforehand which parameters matter.
"""
