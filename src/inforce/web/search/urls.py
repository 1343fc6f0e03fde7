"""One address for one page: what a search service or a campaign added to it is taken off."""

from __future__ import annotations

import html
import re
from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

_LONGEST: Final = 2_048
_PORTS: Final = {"http": 80, "https": 443}
_TRACKING: Final = re.compile(
    r"""utm_[a-z_]+ | gclid | gclsrc | dclid | fbclid | msclkid | yclid | igshid | srsltid | twclid
      | mc_cid | mc_eid | _ga | _gl | _hsenc | _hsmi | mkt_tok | oly_anon_id | oly_enc_id | spm
      | wbraid | gbraid | ved | sei | funneluuid""",
    re.VERBOSE | re.IGNORECASE,
)
"""Parameters that say how a reader came, not what is shown."""

_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


def canonical_url(address: str) -> str:
    """An address in one form, or an empty text if it is none of the web's.

    Scheme and host in lower case; no user name, default port, fragment or tracking parameters;
    HTML entities resolved. Everything that may choose the content stays, in its order.

    >>> canonical_url("HTTPS://www.Example.com:443/a?id=1&amp;utm_source=x#part")
    'https://www.example.com/a?id=1'
    >>> canonical_url("javascript:alert(1)")
    ''
    """
    plain = html.unescape(address).strip()
    if len(plain) > _LONGEST or _UNSAFE.search(plain):
        return ""
    try:
        parts = urlsplit(plain)
        host = _host(parts)
    except ValueError:
        return ""
    if not host:
        return ""
    return urlunsplit((parts.scheme, host, parts.path or "/", _without_tracking(parts.query), ""))


def site_of(url: str) -> str:
    """The host of an address without ``www.``.

    >>> site_of("https://www.uscis.gov/h-1b")
    'uscis.gov'
    """
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def page_key(url: str) -> str:
    """What two addresses of the same page share: scheme, ``www.`` and a last slash do not count."""
    parts = urlsplit(url)
    host = parts.netloc.removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def _host(parts: SplitResult) -> str:
    """Host and port of a web address; empty if it is none. ValueError if the port is none."""
    if parts.scheme not in _PORTS or not parts.hostname:
        return ""
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return name if parts.port in (None, _PORTS[parts.scheme]) else f"{name}:{parts.port}"


def _without_tracking(query: str) -> str:
    pieces = [piece for piece in query.split("&") if piece]
    return "&".join(p for p in pieces if not _TRACKING.fullmatch(p.partition("=")[0]))
