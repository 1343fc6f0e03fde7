"""An article named outranks whatever the words of the question speak for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

LAW = "试验管理条例"
OTHER = "租赁条例"
START = date(2005, 1, 1)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    articles = {"1": "为了规范试验，制定本条例。", "2": "对于累犯，不适用缓刑。"}
    rent = {"1": "承租人应当支付租金。", "2": "累犯不得承租，也不适用缓刑。"}
    laws = tiny_law(LAW, articles, start=START), tiny_law(OTHER, rent, start=START)
    with tiny_library(tmp_path_factory.mktemp("laws"), *laws) as opened:
        yield opened


def found(library: Library, question: str) -> list[tuple[str, str]]:
    hits = library.search(question, as_of="2010").hits
    return [(hit.provision.work, hit.provision.number.short) for hit in hits]


def test_the_words_alone_speak_for_article_2(library: Library) -> None:
    assert found(library, "累犯能否适用缓刑，累犯缓刑")[0][1] == "2"


def test_an_article_named_with_its_law_comes_before_everything(library: Library) -> None:
    hits = found(library, "《试验管理条例》第一条：累犯能否适用缓刑，累犯缓刑")
    assert hits[0] == (LAW, "1")
    assert (LAW, "2") in hits


def test_an_article_named_without_a_law_comes_before_articles_not_named(library: Library) -> None:
    hits = found(library, "第一条：累犯能否适用缓刑，累犯缓刑")
    assert {number for _, number in hits[:2]} == {"1"}
