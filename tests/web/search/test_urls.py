"""One page has one address, whatever a search service or a campaign hung onto it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.web.search.normalising import canonical_url, page_key, site_of


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("https://www.irs.gov/a#part", "https://www.irs.gov/a"),
        ("https://x.org/a#:~:text=six%20months", "https://x.org/a"),
        ("HTTPS://WWW.X.org:443/A?B=c", "https://www.x.org/A?B=c"),
        ("http://x.org:80", "http://x.org/"),
        ("http://x.org:8080/", "http://x.org:8080/"),
        ("https://x.org/a?utm_source=g&id=7&gclid=1&fbclid=2", "https://x.org/a?id=7"),
        ("https://x.org/a?srsltid=AfmBOo&article=1", "https://x.org/a?article=1"),
        ("https://x.org/a?id=1&amp;page=2", "https://x.org/a?id=1&page=2"),
        ("https://irs.gov@evil.example/", "https://evil.example/"),
        ("https://[::1]:8443/a", "https://[::1]:8443/a"),
    ],
)
def test_what_does_not_choose_the_page_is_taken_off(address: str, canonical: str) -> None:
    assert canonical_url(address) == canonical


@pytest.mark.parametrize(
    "address",
    [
        "",
        "irs.gov/a",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https://",
        "https://x.org:port/",
        "https://[::1/",
        "https://x.org/a b",
        "https://x.org/a\nb",
        'https://x.org/"><answer>',
        "https://x.org/\u202egpj.exe",
        "https://x.org/" + "a" * 3_000,
    ],
)
def test_what_is_no_address_of_the_web_is_none(address: str) -> None:
    assert canonical_url(address) == ""


@given(st.text(max_size=80).map(lambda end: f"https://x.org/{end}"))
def test_a_canonical_address_stays_as_it_is(address: str) -> None:
    once = canonical_url(address)
    again = canonical_url(once) if once and "&" not in once else once
    assert again == once


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    url = canonical_url(text)
    assert not url or url.startswith(("http://", "https://"))
    assert isinstance(site_of(url), str)


def test_scheme_www_and_a_last_slash_do_not_make_another_page() -> None:
    keys = {page_key(url) for url in ("http://x.org/a", "https://www.x.org/a/")}
    assert len(keys) == 1
    assert page_key("https://x.org/a?id=1") != page_key("https://x.org/a?id=2")
