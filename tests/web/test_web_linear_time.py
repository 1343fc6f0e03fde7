"""No string of one repeated token makes a reader of the web take more than linear time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from inforce.documents.untrusted import as_data, seal_of
from inforce.web.addresses import AddressRefused, target_of
from inforce.web.courtlistener.citations import same_case
from inforce.web.excerpts import excerpts, passage_around, tokens_of
from inforce.web.quotations import PageText
from inforce.web.reader import wall_words
from inforce.web.reading import parse_reply
from inforce.web.search.normalising import canonical_url, clean_text, page_key, published, site_of
from inforce.web.search.provider import why_blocked
from inforce.web.search.recorded import loose_form
from inforce.web.site_authority import authority_of
from repeated_tokens import slow_tokens

AT = datetime(2026, 3, 26, tzinfo=UTC)
PAGE = PageText("第一条 过失致人死亡的，处三年以上七年以下有期徒刑。" * 100)


def address_of(text: str) -> None:
    with suppress(AddressRefused):
        target_of(text)


PARSERS: dict[str, Callable[[str], object]] = {
    "address": address_of,
    "passage around": lambda text: passage_around(text, "过失致人死亡 two years"),
    "passage around by": lambda text: passage_around("过失致人死亡。\n" * 50, text),
    "authority": lambda text: authority_of(f"https://{text}/"),
    "blocked": why_blocked,
    "canonical_url": lambda text: canonical_url(f"https://x.org/{text}"),
    "clean_text": lambda text: clean_text(text, longest=200_000),
    "excerpts": lambda text: excerpts(text, "过失致人死亡 第一条"),
    "excerpts for": lambda text: excerpts("第一条 甲。\n" * 50, text),
    "loose_form": loose_form,
    "page_key": lambda text: page_key(f"https://x.org/{text}"),
    "published": lambda text: published(text, fetched_at=AT),
    "reply": parse_reply,
    "same_case": lambda text: same_case(text, "Roe v. Wade"),
    "seal": seal_of,
    "site_of": site_of,
    "tokens": tokens_of,
    "untrusted": as_data,
    "verbatim page": lambda text: PageText(text).check("第一条 甲。"),
    "verbatim passage": PAGE.check,
    "wall_words": wall_words,
}


@pytest.mark.parametrize("parser", PARSERS)
def test_a_repeated_token_takes_linear_time(parser: str) -> None:
    assert slow_tokens(PARSERS[parser], size=8_000) == {}


@pytest.mark.slow
@pytest.mark.parametrize("parser", PARSERS)
def test_a_repeated_token_of_200_000_characters_takes_linear_time(parser: str) -> None:
    assert slow_tokens(PARSERS[parser], size=200_000) == {}
