"""Which provisions an answer is about: chances in the light of what is asked, and of doubt."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from inforce.answering.selection import chance_of
from inforce.law.numerals import ProvisionNumber
from inforce.law.rules import CRIMINAL_LAW
from inforce.retrieval.provisions import ProvisionText
from inforce.retrieval.ranker import PRIMARY_RULE
from inforce.retrieval.statutes import Channel, Hit


def hit(score: float, ranks: Mapping[Channel, int]) -> Hit:
    theft = ProvisionText(CRIMINAL_LAW, ProvisionNumber.article(264), "盗窃公私财物，数额较大的")
    return Hit(1, score, theft, is_named=False, channel_ranks=ranks)


@pytest.mark.parametrize(
    ("score", "ranks", "rises"),
    [
        (0.5, {"words": 1}, True),
        (0.5, {"topics": 1}, True),
        (PRIMARY_RULE, {"words": 1}, True),
        (PRIMARY_RULE, {"topics": 1}, False),
        (0.1, {"topics": 2, "words": 9}, False),
    ],
)
def test_what_a_topic_alone_makes_likely_does_not_rise_with_the_consequence_asked_about(
    *, score: float, ranks: Mapping[Channel, int], rises: bool
) -> None:
    assert (chance_of(hit(score, ranks), CRIMINAL_LAW) > score) == rises
    assert chance_of(hit(score, ranks), None) == score
