"""What plays: the board, the rules, the player, and the program around them."""

from __future__ import annotations

# Lizzie takes the second number for Leela Zero's and wants 15 or more.
__version__ = "0.15.0"
