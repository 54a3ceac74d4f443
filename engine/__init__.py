"""What plays: the board, the rules, the player, and the program around them."""

from __future__ import annotations

__version__ = "0.1.0"
