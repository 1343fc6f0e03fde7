"""The weight of a web address is read from its host, not from what it pretends to be."""

from __future__ import annotations

import pytest

from inforce.web.site_authority import Authority, authority_of


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.irs.gov/newsroom", "primary"),
        ("https://www.court.gov.cn/fabu", "primary"),
        ("https://www.courtlistener.com/opinion/1/", "primary"),
        ("https://eur-lex.europa.eu/x", "primary"),
        ("https://shop.eu/", "other"),
        ("https://law.justia.com/", "official"),
        ("https://www.law.cornell.edu/uscode", "official"),
        ("https://www.lawtrust.org.uk/", "official"),
        ("https://www.nolo.com/x", "reputable"),
        ("https://www.reddit.com/r/law", "user_generated"),
        ("https://firm.com/blog/visas", "user_generated"),
        ("https://irs.gov.evil.example/", "other"),
        ("https://evil.example/a?x=.gov", "other"),
        ("https://user:irs.gov@evil.example/", "other"),
        ("http://[::1", "other"),
        ("no address at all", "other"),
        ("", "other"),
    ],
)
def test_an_address_has_the_weight_of_its_host(url: str, expected: Authority) -> None:
    assert authority_of(url) == expected
