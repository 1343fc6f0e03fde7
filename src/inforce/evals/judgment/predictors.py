"""Predictors without a language model: they learn from judged cases, or look similar ones up.

As agents of a benchmark they learn before the first item, and answer each with its prediction.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median_low
from typing import Any, Literal, TypeVar, get_args

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


Predict = Callable[[Sequence[str]], list[Prediction]]
"""A prediction for each fact, in order."""

Learn = Callable[[Sequence[Case], Sequence[Case]], Predict]
"""Learns from complete cases; the targets are `Case.article`, `Case.charge` and the term. The first
cases are learned from and never empty; by the second a network decides when learning ends."""


def most_frequent(train: Sequence[Case]) -> Predict:
    """Always predict the most frequent article, charge and class of term."""
    always = Prediction(
        _most([case.article for case in train]),
        _most([case.charge for case in train]),
        usual_months(train)[_most([ten(case.months or 0) for case in train])],
    )
    return lambda facts: [always] * len(facts)


def tfidf_svm(train: Sequence[Case], *, seed: int = 0) -> Predict:
    """Words weighed by how rare they are, and a linear support vector machine for each target.

    Words are those of the search index, compounds and their parts.
    """
    words, months = _word_weights(), usual_months(train)
    vectors = words.fit_transform([case.fact for case in train])

    def trained(gold: Sequence[int] | Sequence[str]) -> Any:
        if len(set(gold)) == 1:  # a support vector machine needs two sides
            return import_module("sklearn.dummy").DummyClassifier().fit(vectors, gold)
        return import_module("sklearn.svm").LinearSVC(random_state=seed).fit(vectors, gold)

    machines = (
        trained([case.article for case in train]),
        trained([case.charge for case in train]),
        trained([ten(case.months or 0) for case in train]),
    )

    def predict(facts: Sequence[str]) -> list[Prediction]:
        asked = words.transform(facts)
        found = [machine.predict(asked) for machine in machines]
        return [
            Prediction(int(article), str(charge), months[int(term)])
            for article, charge, term in zip(*found, strict=True)
        ]

    return predict


def nearest(train: Sequence[Case], *, neighbours: int = NEIGHBOURS) -> Predict:
    """The majority of the most similar judged cases, and its median term.

    Similarity is the cosine of weighed words. Of equally frequent labels, that of the more similar
    case counts.
    """
    words = _word_weights()
    vectors = words.fit_transform([case.fact for case in train])

    def predict(facts: Sequence[str]) -> list[Prediction]:
        found: list[Prediction] = []
        for start in range(0, len(facts), _BLOCK):
            asked = words.transform(facts[start : start + _BLOCK])
            likeness: NDArray[np.float64] = (asked @ vectors.T).toarray()
            best: NDArray[np.int64] = np.argsort(-likeness, axis=1, kind="stable")[:, :neighbours]
            found += [_majority([train[int(place)] for place in row]) for row in best]
        return found

    return predict


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


CLASSICAL: dict[str, Callable[[Sequence[Case], int], Predict]] = {
    "tfidf-svm": lambda train, seed: tfidf_svm(train, seed=seed),
    "nearest": lambda train, seed: nearest(train),
    "most-frequent": lambda train, seed: most_frequent(train),
}
"""Each learns from cases, with a seed."""

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
    learn = learner(setup.agent, options)
    name = setup.agent
    if name == "transformer" and options.weights:
        name += f":{Path(options.weights).name}"
    began = time.monotonic()
    train = tuple(case for case in data.sides.train if case.is_complete)
    if not train:
        raise InputError("no complete case is left to learn from", path=setup.data)
    predict = learn(train, tuple(case for case in data.sides.valid if case.is_complete))
    predictions = predict([case.fact for case in data.evaluated])
    seconds, learned = time.monotonic() - began, len(data.sides.train)
    print(f"{name}: {learned} cases, {seconds:.1f} s", file=sys.stderr)
    texts = {
        case.id: form(one.article, one.charge, f"{one.months}个月")
        for case, one in zip(data.evaluated, predictions, strict=True)
    }
    settings = {"train": str(learned), "seed": str(options.seed)}
    return lambda item: constant_agent(name, texts[item.id], **settings)


def learner(name: str, options: Options) -> Learn:
    """The predictor of a name; networks also take ``weights`` and ``device``.

    Raises:
        UserError: if none has that name, or it starts from no weights and some are given.
        MissingExtraError: if it is a network and torch is not installed.
    """
    if name in CLASSICAL:
        return lambda train, valid: CLASSICAL[name](train, options.seed)
    network: NeuralName | None = next((one for one in NEURAL if one == name), None)
    if network is None:
        raise UserError(f"no predictor is called {name!r}: use {', '.join(PREDICTORS)}")
    if options.weights and network != "transformer":
        raise UserError(f"{network} starts from nothing: leave the option weights out")
    try:
        import_module("torch")
    except ImportError as error:
        raise MissingExtraError(f"the {network} predictor", "train") from error
    from inforce.evals.judgment.neural import learn

    weights = Path(options.weights) if options.weights else None
    return partial(
        learn, network=network, seed=options.seed, device=options.device, weights=weights
    )
