"""The model that explains moves, and what it says about them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.gtp.registry import GtpError
from engine.gtp.session import Session

if TYPE_CHECKING:
    from engine.game import Game
    from knowledge.factors import FactorModel

_MOST_MODELS = 2


@lru_cache(maxsize=_MOST_MODELS)
def _model(path: str) -> FactorModel:
    from knowledge.predictor import FactorPredictor, load_predictor

    predictor = load_predictor(path)
    if not isinstance(predictor, FactorPredictor):
        raise ValueError(f"a model of kind {predictor.kind} has no features to explain")
    return predictor.model


def explaining_model(session: Session) -> FactorModel:
    """The model that guides the search if it can be explained, otherwise the shipped FBT."""
    from weights.files import nearest

    kind = session.settings.text("knowledge", session.size)
    path = session.settings.text("weights", session.size)
    if kind not in ("fbt", "lfr", "mm"):
        kind, path = "fbt", ""
    try:
        return _model(path or str(nearest(kind, session.size)))
    except ValueError as error:
        raise GtpError(str(error)) from None


def move_reasons(session: Session, game: Game, points: tuple[int, ...], top: int = 0) -> list[str]:
    """Why the model likes or dislikes moves: a paragraph each, for `top` best ones and these."""
    from knowledge.explain import explain

    return [found.text() for found in explain(explaining_model(session), game, top, points)]
