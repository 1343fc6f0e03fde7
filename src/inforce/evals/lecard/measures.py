"""How good a ranking is: NDCG by graded relevance, precision and MAP by what is relevant at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inforce.errors import MissingExtraError

RELEVANT = 2
"""The level from which a judgment counts as relevant where relevance is yes or no."""

MEASURES = ("ndcg@10", "ndcg@20", "ndcg@30", "p@5", "p@10", "map")


def measured(
    ranking: Sequence[str], levels: Mapping[str, int], *, relevant: int = RELEVANT
) -> dict[str, float | None]:
    """Every measure of a ranking for one query; a document nobody judged is not relevant.

    NDCG takes the level itself as gain. MAP is the mean of this average precision over queries.
    ``None`` where nothing is relevant: no ranking could have done better.

    Raises:
        MissingExtraError: if the extra ``eval`` is not installed.
    """
    try:
        import ir_measures
        from ir_measures import AP, P, nDCG
    except ImportError as error:
        raise MissingExtraError("measuring rankings", "eval") from error
    graded = {nDCG @ k: f"ndcg@{k}" for k in (10, 20, 30)}
    binary = {P(rel=relevant) @ 5: "p@5", P(rel=relevant) @ 10: "p@10", AP(rel=relevant): "map"}
    highest = max(levels.values(), default=0)
    if highest <= 0:
        return dict.fromkeys(MEASURES)
    wanted = {**graded, **(binary if highest >= relevant else {})}
    scores = {id: float(len(ranking) - place) for place, id in enumerate(ranking)}
    found = ir_measures.iter_calc(list(wanted), {"q": dict(levels)}, {"q": scores})
    values = {wanted[one.measure]: float(one.value) for one in found}
    return {name: values.get(name) for name in MEASURES}
