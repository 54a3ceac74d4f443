"""A game for each of the usual sizes, for benchmarks: the engine's own, move by move."""

GAMES = {9: "", 13: "", 19: ""}
