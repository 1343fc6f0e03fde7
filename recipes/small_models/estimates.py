"""A fitted predictor of prison terms as a source that a policy can search.

It reads the facts of the case of the run, not the query. No case is predicted by a model that was
fitted to it: the training cases are predicted by cross-validation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import log10
from statistics import mean
from typing import Any

import numpy as np

from inforce.law.penalties.sentencing import find_factors
from inforce.scoring.cases import Case
from inforce.scoring.factors import stated
from inforce.scoring.split import draw
from inforce.scoring.term_classes import ten, usual_months
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, Reach, Tool, ToolResult, ToolSpec, reach_of
from small_models import case_features

ESTIMATE = "estimate"
"""Its name as a source."""

FOLDS = 5


def worded(months: int) -> str:
    """Return a term in the words of both the predictor and the policy's answer.

    The words are the same so that a small model can easily copy them.

    >>> worded(18)
    '刑期18个月'
    """
    return f"刑期{months}个月"


_PENALTY = 0.3
"""C of the support vector machine."""
_STATED = 0.7
"""Weight of the stated factors relative to the characters."""
_TOPICS = 60
"""Number of principal directions of the characters that the trees read."""
_TREES = 300
_LEAF = 3
"""Fewest cases of a leaf."""
_SHARE = 0.25
"""Share of the features from which a tree chooses."""
_FLOOR = 1e-3
"""The smallest probability of a class, so that no model alone can rule one out."""
_LINEAR = 0.5
"""Weight of the linear model relative to the trees, in the sum of logarithms."""

_OFTEN = 10
"""Fewest cases of a crime for it to be a class of its own."""
_PRIOR = 5.0
"""Weight, in cases, of all crimes' distribution of terms in that of a single crime."""

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)余?(万?)余?(元|千克|公斤|克|毫克|mg)")
_UNITS: Mapping[str, tuple[str, float]] = {
    "元": ("元", 1.0),
    "千克": ("克", 1000.0),
    "公斤": ("克", 1000.0),
    "克": ("克", 1.0),
    "毫克": ("毫克", 1.0),
    "mg": ("毫克", 1.0),
}
"""Units of amounts and their factors: milligrams are of alcohol in blood, grams of drugs."""

Months = Mapping[str, int]
"""Estimated terms of cases, by their facts."""


def estimates(known: Sequence[Case], others: Sequence[Case] = ()) -> Months:
    """Predict terms of cases, none by a model that was fitted to it.

    The predictor chooses one of ten classes; the estimate is the class's usual term. It multiplies
    the probabilities of two models: a linear one over character n-grams (n up to 3) and stated
    factors, and randomised trees over numerical features, circumstances, the usual terms of the
    crime, and principal directions of the characters. Trees are needed because what an amount means
    depends on the crime. A third model reads the crime from the facts.

    Args:
        known: training cases, each predicted from those of other folds.
        others: cases whose terms are not read.
    """
    if not known:
        return {}
    # By fact, so that two copies of one are in the same fold.
    folds = np.array([draw(one.fingerprint, seed=FOLDS) % FOLDS for one in known])
    features = _Features.of(known, others, folds)
    found: dict[str, int] = {}
    for fold in range(FOLDS):
        train, evaluated = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        found |= _predicted(known, train, evaluated, features)
    evaluated = np.arange(len(known), len(known) + len(others))
    return found | _predicted([*known, *others], np.arange(len(known)), evaluated, features)


def plain_estimates(known: Sequence[Case], others: Sequence[Case]) -> Months:
    """Predict terms by a linear support vector machine over character n-grams (n up to 3).

    No policy can search it: it is the baseline that policies are compared with.

    Args:
        known: training cases.
        others: cases whose terms are not read.
    """
    text: Any = import_module("sklearn.feature_extraction.text")
    svm: Any = import_module("sklearn.svm")
    months = usual_months(known)
    signs = text.TfidfVectorizer(analyzer="char", ngram_range=(1, 3), sublinear_tf=True)
    read = signs.fit_transform([one.fact for one in known])
    machine = svm.LinearSVC(C=_PENALTY, random_state=0)
    machine.fit(read, [ten(one.months or 0) for one in known])
    facts = [one.fact for one in others]
    predicted = machine.predict(signs.transform(facts))
    return {fact: months[int(one)] for fact, one in zip(facts, predicted, strict=True)}


def share_right(months: Months, cases: Sequence[Case]) -> float:
    """Return the share of cases whose estimated term is in the right one of ten classes."""
    return mean(ten(months[one.fact]) == ten(one.months or 0) for one in cases)


@dataclass(frozen=True, slots=True)
class _Features:
    """Features of cases, one row for each; they contain no term."""

    signs: Any
    """Character n-grams and stated factors, sparse: (cases, features)."""
    measures: Any
    """Numerical features, circumstances and principal directions, dense: (cases, features)."""
    charges: Any
    """The crime predicted for each case: (cases,)."""

    @classmethod
    def of(cls, known: Sequence[Case], others: Sequence[Case], folds: Any) -> _Features:
        """Compute features of both, fitted to the known cases, which are in folds."""
        text: Any = import_module("sklearn.feature_extraction.text")
        decomposition: Any = import_module("sklearn.decomposition")
        sparse: Any = import_module("scipy.sparse")
        fitted = [one.fact for one in known]
        facts = [*fitted, *(one.fact for one in others)]
        read = text.TfidfVectorizer(
            analyzer="char", ngram_range=(1, 3), sublinear_tf=True, min_df=2
        )
        signs = read.fit(fitted).transform(facts)
        factors = text.TfidfVectorizer(analyzer=_stated).fit(fitted).transform(facts)
        names = text.CountVectorizer(analyzer=_circumstances).fit(fitted).transform(facts)
        directions = min(_TOPICS, signs.shape[1] - 1, len(known))
        topics = decomposition.TruncatedSVD(directions, n_iter=2, random_state=0)
        topics.fit(signs[: len(known)])
        measures = np.array(case_features.rows(facts))
        return cls(
            sparse.hstack([signs, _STATED * factors]).tocsr(),
            np.hstack([measures, names.toarray(), topics.transform(signs)]),
            _charges(known, signs, folds),
        )


def _charges(known: Sequence[Case], signs: Any, folds: Any) -> Any:
    """Predict the crime of each case by a model not fitted to it; 0: a rare one.

    The rows of ``signs`` after the known cases are those of the others.
    """
    linear: Any = import_module("sklearn.linear_model")
    often = [
        name for name, times in Counter(one.charge for one in known).items() if times >= _OFTEN
    ]
    number = {name: place for place, name in enumerate(often, start=1)}
    true = np.array([number.get(one.charge, 0) for one in known])
    rows = int(signs.shape[0])
    # The others are predicted by a model fitted to all known cases.
    fold_of = np.concatenate([folds, np.full(rows - len(known), FOLDS)])
    read = np.zeros(rows, dtype=int)
    for fold in range(FOLDS + 1):
        train: Any = np.flatnonzero(folds != fold)
        evaluated: Any = np.flatnonzero(fold_of == fold)
        if len(set(true[train].tolist())) < 2 or not len(evaluated):
            read[evaluated] = true[train[:1]] if len(train) else 0
            continue
        machine = linear.SGDClassifier(alpha=1e-5, max_iter=6, tol=None, random_state=0)
        read[evaluated] = machine.fit(signs[train], true[train]).predict(signs[evaluated])
    return read


def _usual_classes(charges: Any, train: Any, classes: Any) -> Any:
    """Return how often the predicted crime of a case gets each class: (cases, classes)."""
    kinds = np.unique(classes)
    every = (classes[:, None] == kinds).mean(axis=0)
    shares = np.tile(every, (charges.max() + 1, 1))
    for charge in np.unique(charges[train]):
        of_it = classes[charges[train] == charge]
        counts = (of_it[:, None] == kinds).sum(axis=0)
        shares[charge] = (counts + _PRIOR * every) / (len(of_it) + _PRIOR)
    return shares[charges]


def _predicted(
    cases: Sequence[Case], train: Any, evaluated: Any, features: _Features
) -> dict[str, int]:
    """Predict terms of some rows by models fitted to others."""
    if not (len(train) and len(evaluated)):
        return {}
    svm: Any = import_module("sklearn.svm")
    ensemble: Any = import_module("sklearn.ensemble")
    learnt = [cases[int(row)] for row in train]
    months = usual_months(learnt)
    classes = np.array([ten(one.months or 0) for one in learnt])
    facts = [cases[int(row)].fact for row in evaluated]
    if len(set(classes)) == 1:  # a support vector machine needs two sides
        return dict.fromkeys(facts, months[int(classes[0])])
    usual = _usual_classes(features.charges, train, classes)
    read = np.hstack([features.measures, usual])
    linear = svm.LinearSVC(C=_PENALTY, random_state=0).fit(features.signs[train], classes)
    trees = ensemble.ExtraTreesClassifier(
        _TREES, min_samples_leaf=_LEAF, max_features=_SHARE, random_state=0
    ).fit(read[train], classes)
    margins = linear.decision_function(features.signs[evaluated])
    margins = margins if margins.ndim > 1 else np.stack([-margins, margins], axis=1) / 2
    by_trees = np.log(trees.predict_proba(read[evaluated]) + _FLOOR)
    joined = _LINEAR * _log_shares(2 * margins) + by_trees
    predicted = linear.classes_[joined.argmax(axis=1)]
    return {fact: months[int(one)] for fact, one in zip(facts, predicted, strict=True)}


def _log_shares(margins: Any) -> Any:
    weights = np.exp(margins - margins.max(axis=1, keepdims=True))
    return np.log(weights / weights.sum(axis=1, keepdims=True) + _FLOOR)


def _stated(fact: str) -> list[str]:
    """Return the factors of a case, their number, and its amounts (three sizes per power of ten).

    >>> _stated("被告人甲窃得手机，价值3000元，后自首。")[-2:]
    ['元10', '最大元10']
    """
    factors = stated(fact)
    amounts = _amounts(fact)
    sizes = [f"{unit}{_size(one)}" for unit, each in amounts.items() for one in each]
    largest = [f"最大{unit}{_size(max(each))}" for unit, each in amounts.items() if each]
    return [*factors, f"{len(factors)}项", *sizes, *largest]


def _size(amount: float) -> int:
    return int(3 * log10(max(amount, 1.0)))


def _circumstances(fact: str) -> list[str]:
    names = [one.name for one in find_factors(fact)]
    return [*names, f"{len(names)}项"]


def _amounts(fact: str) -> dict[str, list[float]]:
    """Extract amounts of money, drugs and alcohol by unit."""
    found: dict[str, list[float]] = {"元": [], "克": [], "毫克": []}
    for number, ten_thousands, written in _AMOUNT.findall(fact):
        unit, size = _UNITS[written]
        found[unit].append(float(number) * size * (10_000 if ten_thousands else 1))
    return found


@dataclass(frozen=True, slots=True)
class WithEstimates:
    """A search of sources to which the predictor is added as a source."""

    search: Tool
    months: Months

    @property
    def spec(self) -> ToolSpec:
        """That of the search."""
        return self.search.spec

    @property
    def reach(self) -> Reach:
        """That of the search."""
        return reach_of(self.search)

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Return the estimate for the case of the run, or what the search finds."""
        if arguments.get("source") != ESTIMATE:
            return await self.search(arguments, context)
        months = self.months.get(context.question)
        if months is None:
            return ToolResult("没有估计", "not_covered")
        text = worded(months)
        return ToolResult(text, "found", (Evidence(ESTIMATE, "calculation", text, text),))
