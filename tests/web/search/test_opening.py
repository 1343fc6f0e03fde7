"""A specification names a service; what is missing to reach it is said at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inforce.errors import InputError, UserError
from inforce.web.search.opening import CachedProvider, PageCache, open_provider
from json_service import Answer, JsonService

KEYS = {"serper": "s-key", "tavily": "t-key"}


@pytest.mark.parametrize(
    ("spec", "keys", "opened"),
    [
        ("", KEYS, "serper"),
        ("", {"tavily": "t"}, "tavily"),
        ("", {"serper": " "}, "ddgs"),
        ("", {}, "ddgs"),
        ("ddgs", KEYS, "ddgs"),
        (" tavily ", KEYS, "tavily"),
        ("searxng:http://localhost:8888/", {}, "searxng:http://localhost:8888"),
    ],
)
def test_a_specification_opens_its_service(spec: str, keys: dict[str, str], opened: str) -> None:
    if opened == "ddgs":
        pytest.importorskip("ddgs")
    provider = open_provider(spec, keys=keys)
    assert provider.spec == opened
    assert isinstance(provider, CachedProvider)
    assert open_provider(provider.spec, keys=KEYS).spec == opened


@pytest.mark.parametrize("spec", ["google", "searxng", "searxng:", "serper:x", "recorded:", ":"])
def test_an_unknown_service_is_answered_with_those_there_are(spec: str) -> None:
    with pytest.raises(UserError, match="recorded:FILE"):
        open_provider(spec, keys=KEYS)


@pytest.mark.parametrize("spec", ["serper", "tavily"])
def test_a_missing_key_is_named_by_its_variable(spec: str) -> None:
    with pytest.raises(UserError, match=f"{spec.upper()}_API_KEY"):
        open_provider(spec)


def test_a_recording_that_is_not_there_is_refused_on_opening(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        open_provider(f"recorded:{tmp_path / 'none.jsonl'}")


async def test_a_recording_is_opened_without_network_or_key(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    row: dict[str, Any] = {"query": "q", "fetched_at": "2026-03-26T00:00:00Z", "results": []}
    path.write_text(json.dumps(row), encoding="utf-8")
    assert (await open_provider(f"recorded:{path}").search("q")).results == ()


async def test_services_may_stand_elsewhere_and_pages_be_kept(service: JsonService) -> None:
    service.answers = [Answer({"organic": []})]
    elsewhere = {"serper": service.url}
    kept = open_provider("serper", keys=KEYS, base_urls=elsewhere, cache=PageCache())
    fresh = open_provider("serper", keys=KEYS, base_urls=elsewhere, cache=None)
    for provider in (kept, kept, fresh, fresh):
        await provider.search("q")
    assert len(service.asked) == 3
