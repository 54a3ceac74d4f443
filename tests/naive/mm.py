"""The twin of MM: gammas in a dictionary, teams as sets of names, the formulas as in the paper."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from math import log, prod
from typing import NamedTuple

Team = frozenset[Hashable]
Gammas = Mapping[Hashable, float]


class Competition(NamedTuple):
    """Some teams, and which of them won."""

    teams: list[Team]
    winner: int


def strength(team: Team, gammas: Gammas) -> float:
    return prod(gammas[member] for member in team)


def log_evidence(competitions: Sequence[Competition], gammas: Gammas) -> float:
    """The logarithm of the probability of all results."""
    return sum(
        log(strength(teams[winner], gammas) / sum(strength(team, gammas) for team in teams))
        for teams, winner in competitions
    )


def log_posterior(competitions: Sequence[Competition], gammas: Gammas) -> float:
    """The same with a win and a loss of every gamma against 1."""
    prior = sum(log(gamma / (gamma + 1)) + log(1 / (gamma + 1)) for gamma in gammas.values())
    return log_evidence(competitions, gammas) + prior


def updated(
    competitions: Sequence[Competition], gammas: Gammas, group: Collection[Hashable]
) -> dict[Hashable, float]:
    """All gammas after the MM step for those of one group."""
    result = dict(gammas)
    for member in group:
        wins, losses = 1.0, 2.0 / (gammas[member] + 1.0)
        for teams, winner in competitions:
            everyone = sum(strength(team, gammas) for team in teams)
            mates = sum(strength(team - {member}, gammas) for team in teams if member in team)
            wins += member in teams[winner]
            losses += mates / everyone
        result[member] = wins / losses
    return result


def fitted(
    competitions: Sequence[Competition], groups: Sequence[Collection[Hashable]], rounds: int
) -> dict[Hashable, float]:
    """All gammas after so many rounds through the groups, from 1 on."""
    gammas: dict[Hashable, float] = {member: 1.0 for group in groups for member in group}
    for _ in range(rounds):
        for group in groups:
            gammas = updated(competitions, gammas, group)
    return gammas
