"""Matches between any two players, and what can be said about their strength afterwards.

From the outside in: `run.py` plays a match, `work.py` is one game as a worker gets it, `play.py`
is the game itself, `contestants.py` are those who sit at the board, `gtp_client.py` talks to their
programs, which `leash.py` started and ends. `referee.py`, `timing.py`, `openings.py` and `cores.py`
see that it is fair; `results.py`, `statistics.py` and `report.py` are what remains.
"""
