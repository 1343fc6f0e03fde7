"""Neural predictors of judgments: TextCNN, TopJudge and a transformer, trained on the spot.

They need the extra ``train``; training takes a minute or two for some thousand cases on a laptop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from inforce.errors import MissingExtraError
from inforce.evals.judgment.baselines import Prediction, Predictor
from inforce.scoring.cases import Case

if TYPE_CHECKING:
    from inforce.evals.judgment.neural_models import FittedModel

Name = Literal["textcnn", "topjudge", "transformer"]

NAMES: tuple[Name, ...] = ("textcnn", "topjudge", "transformer")

EPOCHS: dict[Name, int] = {"textcnn": 12, "topjudge": 12, "transformer": 12}
"""Passes through the training cases at most; early stopping mostly ends sooner."""


def predictor(
    name: Name,
    *,
    seed: int = 0,
    device: str = "cpu",
    epochs: int | None = None,
    weights: Path | None = None,
) -> Predictor:
    """A network that learns to predict judgments.

    Args:
        name: ``textcnn`` (Kim 2014), ``topjudge`` (Zhong et al. 2018) or ``transformer``.
        seed: the same seed gives the same predictions on the same machine.
        device: where to compute, as torch names it.
        epochs: passes through the training cases at most; the network's own number if ``None``.
        weights: a folder with a pretrained encoder to start the transformer from.

    Raises:
        MissingExtraError: if torch (with ``weights``: transformers) is not installed.
        ValueError: if ``weights`` are given to a network that starts from nothing.
    """
    if weights is not None and name != "transformer":
        raise ValueError(f"{name} starts from nothing: it takes no weights")
    try:
        for library in ("torch",) if weights is None else ("torch", "transformers"):
            import_module(library)
    except ImportError as error:
        raise MissingExtraError(f"the {name} predictor", "train") from error
    return NeuralPredictor(name, seed, device, epochs or EPOCHS[name], weights)


@dataclass(slots=True)
class NeuralPredictor:
    """A network and what it learned; made by `predictor`."""

    network: Name
    seed: int
    device: str
    epochs: int
    weights: Path | None = None
    fitted: FittedModel | None = None
    """The trained network, once there is one."""

    @property
    def name(self) -> str:
        """As people call it; with pretrained weights, their folder's name too."""
        return self.network if self.weights is None else f"{self.network}:{self.weights.name}"

    def fit(self, train: Sequence[Case], valid: Sequence[Case] = ()) -> None:
        """Learn from cases with one article, one charge and a term each; tells of progress.

        Args:
            train: what to learn from.
            valid: what to decide by when learning ends; without any, all epochs are run.
        """
        from inforce.evals.judgment.neural_models import learn

        self.fitted = learn(self, train, valid)

    def predict(self, facts: Sequence[str]) -> list[Prediction]:
        """A prediction for each fact, in order.

        Raises:
            ValueError: if it has not learned anything yet.
        """
        if self.fitted is None:
            raise ValueError("fit the predictor before it predicts")
        return self.fitted.predict(facts)
