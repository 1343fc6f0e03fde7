"""Predictors without a language model: they learn from judged cases, or look similar ones up.

As agents of a benchmark they learn before the first item, and answer each with its prediction.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median_low
from typing import Any, Literal, Protocol, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from inforce.agents.runtime.run import Agent
from inforce.errors import InputError, MissingExtraError, UserError
from inforce.evals.baselines import constant_agent
from inforce.evals.benchmark import Item, Setup
from inforce.evals.judgment.dataset import Options, dataset_of, options_of
from inforce.retrieval.tokens import tokenize
from inforce.scoring.cases import Case
from inforce.scoring.term_classes import ten, usual_months

NEIGHBOURS = 15
"""Similar cases that vote; of 1 to 30 the best on validation cases of CAIL2018's schema."""

_BLOCK = 512
"""Facts compared with all cases at a time, so that their similarities fit into memory."""

Label = TypeVar("Label", int, str)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A predicted judgment."""

    article: int
    charge: str
    months: int
    """The class follows from it; a predictor of classes gives the usual months of the class
    (`inforce.scoring.term_classes.usual_months`)."""


class Predictor(Protocol):
    """Learns from judged cases, and predicts the judgment of others."""

    @property
    def name(self) -> str:
        """The name on the command line: ``tfidf-svm``."""
        ...

    def fit(self, train: Sequence[Case], valid: Sequence[Case] = ()) -> None:
        """Learn from complete cases; the targets are `Case.article`, `Case.charge` and the term.

        Args:
            train: never empty.
            valid: for predictors that decide by them when learning ends.
        """
        ...

    def predict(self, facts: Sequence[str]) -> list[Prediction]:
        """A prediction for each fact, in order."""
        ...


class MostFrequent:
    """Always predicts the most frequent article, charge and class of term."""

    name = "most-frequent"

    def __init__(self) -> None:
        self._always = Prediction(0, "", 0)

    def fit(self, train: Sequence[Case], valid: Sequence[Case] = ()) -> None:
        """Count."""
        term = _most([ten(case.months or 0) for case in train])
        months = usual_months(train)[term]
        self._always = Prediction(
            _most([case.article for case in train]), _most([case.charge for case in train]), months
        )

    def predict(self, facts: Sequence[str]) -> list[Prediction]:
        """The same for each."""
        return [self._always] * len(facts)


class TfidfSvm:
    """Words weighed by how rare they are, and a linear support vector machine for each target.

    Words are those of the search index, compounds and their parts.
    """

    name = "tfidf-svm"

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed
        self._words = _word_weights()
        self._months: dict[int, int] = {}
        self._machines: dict[str, Any] = {}

    def fit(self, train: Sequence[Case], valid: Sequence[Case] = ()) -> None:
        """Train the three machines."""
        vectors = self._words.fit_transform([case.fact for case in train])
        self._months = usual_months(train)
        targets = {
            "article": [case.article for case in train],
            "charge": [case.charge for case in train],
            "term": [ten(case.months or 0) for case in train],
        }
        self._machines = {name: self._trained(vectors, gold) for name, gold in targets.items()}

    def predict(self, facts: Sequence[str]) -> list[Prediction]:
        """Ask the three machines."""
        vectors = self._words.transform(facts)
        found = [self._machines[name].predict(vectors) for name in ("article", "charge", "term")]
        return [
            Prediction(int(article), str(charge), self._months[int(term)])
            for article, charge, term in zip(*found, strict=True)
        ]

    def _trained(self, vectors: Any, gold: Sequence[int] | Sequence[str]) -> Any:
        if len(set(gold)) == 1:  # a support vector machine needs two sides
            return import_module("sklearn.dummy").DummyClassifier().fit(vectors, gold)
        machine = import_module("sklearn.svm").LinearSVC(random_state=self._seed)
        return machine.fit(vectors, gold)


class NearestNeighbours:
    """The majority of the most similar judged cases, and its median term.

    Similarity is the cosine of weighed words. Of equally frequent labels, that of the more similar
    case counts.
    """

    name = "nearest"

    def __init__(self, *, neighbours: int = NEIGHBOURS) -> None:
        self._neighbours = neighbours
        self._words = _word_weights()
        self._cases: tuple[Case, ...] = ()
        self._vectors: Any = None

    def fit(self, train: Sequence[Case], valid: Sequence[Case] = ()) -> None:
        """Index the cases."""
        self._cases = tuple(train)
        self._vectors = self._words.fit_transform([case.fact for case in train])

    def predict(self, facts: Sequence[str]) -> list[Prediction]:
        """Look up the most similar cases of each fact."""
        found: list[Prediction] = []
        for start in range(0, len(facts), _BLOCK):
            vectors = self._words.transform(facts[start : start + _BLOCK])
            likeness: NDArray[np.float64] = (vectors @ self._vectors.T).toarray()
            best: NDArray[np.int64] = np.argsort(-likeness, axis=1, kind="stable")[
                :, : self._neighbours
            ]
            found += [_majority([self._cases[int(place)] for place in row]) for row in best]
        return found


def _majority(nearest: Sequence[Case]) -> Prediction:
    """The prediction of similar cases, the most similar first."""
    terms = [ten(case.months or 0) for case in nearest]
    usual = _most(terms)
    return Prediction(
        _most([case.article for case in nearest]),
        _most([case.charge for case in nearest]),
        median_low([case.months or 0 for case in nearest if ten(case.months or 0) == usual]),
    )


def _most(labels: Sequence[Label]) -> Label:
    """The most frequent; of equals the first (`Counter` keeps their order)."""
    return Counter(labels).most_common(1)[0][0]


def _word_weights() -> Any:
    """A vectorizer; scikit-learn has few types, so results are annotated where they are used."""
    text = import_module("sklearn.feature_extraction.text")
    return text.TfidfVectorizer(analyzer=tokenize, sublinear_tf=True)


CLASSICAL: dict[str, Callable[[int], Predictor]] = {
    TfidfSvm.name: lambda seed: TfidfSvm(seed=seed),
    NearestNeighbours.name: lambda seed: NearestNeighbours(),
    MostFrequent.name: lambda seed: MostFrequent(),
}


NeuralName = Literal["textcnn", "topjudge", "transformer"]

NEURAL: tuple[NeuralName, ...] = get_args(NeuralName)

PREDICTORS = (*CLASSICAL, *NEURAL)
"""Agents that learn from cases instead of asking a model."""


def form(article: int, charge: str, term: str) -> str:
    """A prediction in the form that models are asked for.

    >>> form(264, "盗窃", "8个月")
    '法条：第264条；罪名：盗窃；刑期：8个月'
    """
    return f"法条：第{article}条；罪名：{charge}；刑期：{term}"


def predicting_agents(setup: Setup) -> Callable[[Item], Agent]:
    """Train a predictor, predict every test case, and return the agent of each item.

    Raises:
        UserError: if no predictor has that name.
        InputError: if the file holds nothing to learn from.
        MissingExtraError: if it is a network and torch is not installed.
    """
    options, data = options_of(setup), dataset_of(setup)
    model = predictor(setup.agent, options)
    began = time.monotonic()
    train = tuple(case for case in data.sides.train if case.is_complete)
    if not train:
        raise InputError("no complete case is left to learn from", path=setup.data)
    model.fit(train, tuple(case for case in data.sides.valid if case.is_complete))
    predictions = model.predict([case.fact for case in data.evaluated])
    seconds, learned = time.monotonic() - began, len(data.sides.train)
    print(f"{model.name}: {learned} cases, {seconds:.1f} s", file=sys.stderr)
    texts = {
        case.id: form(one.article, one.charge, f"{one.months}个月")
        for case, one in zip(data.evaluated, predictions, strict=True)
    }
    settings = {"train": str(learned), "seed": str(options.seed)}
    return lambda item: constant_agent(model.name, texts[item.id], **settings)


def predictor(name: str, options: Options) -> Predictor:
    """The predictor of a name; networks also take ``weights`` and ``device``.

    Raises:
        UserError: if none has that name, or it starts from no weights and some are given.
        MissingExtraError: if it is a network and torch is not installed.
    """
    if name in CLASSICAL:
        return CLASSICAL[name](options.seed)
    network: NeuralName | None = next((one for one in NEURAL if one == name), None)
    if network is None:
        raise UserError(f"no predictor is called {name!r}: use {', '.join(PREDICTORS)}")
    if options.weights and network != "transformer":
        raise UserError(f"{network} starts from nothing: leave the option weights out")
    try:
        import_module("torch")
    except ImportError as error:
        raise MissingExtraError(f"the {network} predictor", "train") from error
    from inforce.evals.judgment.neural import NeuralPredictor

    weights = Path(options.weights) if options.weights else None
    return NeuralPredictor(network, options.seed, options.device, weights=weights)
