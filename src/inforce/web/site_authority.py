"""The authority of a web site as a source of law: the classes of the U-Score's citation component.

Stricter than the U-Score in two ways, because a reader relies on the label: what makes a source
primary, official or reputable must be in the host's own name (``irs.gov.example.com`` is no
government site), and of the ``.eu`` hosts only those of the institutions are primary.
"""

from __future__ import annotations

from typing import Final, Literal
from urllib.parse import urlsplit

Authority = Literal["primary", "official", "reputable", "user_generated", "other"]

_PRIMARY: Final = (
    "supreme.justia.com",
    "courtlistener.com",
    "europa.eu",
    "gdpr-info.eu",
)
_OFFICIAL: Final = ("justia.com", "findlaw.com", "law.cornell.edu")
_REPUTABLE: Final = (
    "nolo.com",
    "avvo.com",
    "lawyers.com",
    "americanbar.org",
    "lexology.com",
    "mondaq.com",
)
_USER_GENERATED: Final = ("reddit.com", "quora.com", "medium.com", "zhihu.com", "weibo.com")
_PUBLIC_SUFFIXES: Final[dict[str, Authority]] = {
    "gov": "primary",
    "court": "primary",
    "edu": "official",
}
_COUNTRY_SUFFIXES: Final[dict[str, Authority]] = {"org.uk": "official", "ac.uk": "official"}


def authority_of(url: str) -> Authority:
    """The class of the site behind an address.

    >>> authority_of("https://www.uscis.gov/h-1b"), authority_of("https://www.court.gov.cn/fabu")
    ('primary', 'primary')
    >>> authority_of("https://supreme.justia.com/cases"), authority_of("https://law.justia.com/")
    ('primary', 'official')
    >>> authority_of("https://irs.gov.example.com/"), authority_of("https://firm.com/blog/visas")
    ('other', 'user_generated')
    """
    try:
        parts = urlsplit(url.lower())
        host = parts.hostname or ""
    except ValueError:
        return "other"
    place = f"{host}{parts.path}"
    by_users = _is_under(host, _USER_GENERATED) or "forum" in place or "blog" in place
    return _by_host(host) or ("user_generated" if by_users else "other")


def _by_host(host: str) -> Authority | None:
    if _is_under(host, _PRIMARY):
        return "primary"
    public = _by_suffix(host)
    if public:
        return public
    if _is_under(host, _OFFICIAL):
        return "official"
    return "reputable" if _is_under(host, _REPUTABLE) else None


def _by_suffix(host: str) -> Authority | None:
    """By what the registry only gives to some: ``.gov``, ``.gov.cn``, ``.edu``, ``.ac.uk``."""
    labels = host.split(".")
    if labels[-1] in _PUBLIC_SUFFIXES:
        return _PUBLIC_SUFFIXES[labels[-1]]
    if len(labels) > 2 and len(labels[-1]) == 2:
        by_country = _COUNTRY_SUFFIXES.get(".".join(labels[-2:]))
        return by_country or _PUBLIC_SUFFIXES.get(labels[-2])
    return None


def _is_under(host: str, sites: tuple[str, ...]) -> bool:
    return any(host == site or host.endswith(f".{site}") for site in sites)
