"""How much weight a web address carries as a source of law (the five classes of the U-Score)."""

from __future__ import annotations

from typing import Literal

Authority = Literal["primary", "official", "reputable", "user_generated", "other"]

_CLASSES: tuple[tuple[Authority, tuple[str, ...]], ...] = (
    (
        "primary",
        (
            ".gov",
            ".court",
            "supreme.justia",
            "courtlistener.com",
            ".eu/",
            ".europa.eu",
            "gdpr-info.eu",
            "eur-lex.europa.eu",
        ),
    ),
    (
        "official",
        (".edu", "justia.com", "findlaw.com", "law.cornell", ".org.uk", ".ac.uk"),
    ),
    (
        "reputable",
        (
            "nolo.com",
            "avvo.com",
            "lawyers.com",
            "americanbar.org",
            "lexology.com",
            "mondaq.com",
        ),
    ),
    ("user_generated", ("reddit.com", "quora.com", "forum", "blog", "medium.com")),
)


def authority_of(source: str) -> Authority:
    """The class of a URL or source name: the first class one of whose marks it contains.

    >>> authority_of("https://www.irs.gov/newsroom"), authority_of("https://www.reddit.com/r/law")
    ('primary', 'user_generated')
    """
    lowered = source.lower()
    for name, marks in _CLASSES:
        if any(mark in lowered for mark in marks):
            return name
    return "other"
