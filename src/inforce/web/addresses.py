"""Which web addresses may be opened: public ones, over http or https, and nothing inside a network.

A page or a search result can name any address. One that leads to this computer, to the network it
is in, or to the metadata service of a cloud is refused, however it is written: as a name, as
a number (``http://2130706433/``), inside an IPv6 address, or by a redirect. See
`inforce.web.transport` for how the address that was checked is the one that is connected to.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Literal
from urllib.parse import urlsplit

import httpx

LONGEST_URL = 2_048
"""Characters a URL may have."""

Address = IPv4Address | IPv6Address

_SPECIAL: tuple[IPv4Network | IPv6Network, ...] = tuple(
    ip_network(network)
    for network in (
        # Not said to be private by every Python version, or public but inside a cloud.
        "0.0.0.0/8",
        "100.64.0.0/10",  # shared address space (RFC 6598); some metadata services
        "168.63.129.16/32",  # the host of a virtual machine
        "192.0.0.0/24",
        "192.88.99.0/24",  # relays of 6to4 (RFC 7526)
        "198.18.0.0/15",
        "240.0.0.0/4",
        "::/96",  # IPv4-compatible, deprecated (RFC 4291)
        "64:ff9b:1::/48",  # translation inside one network (RFC 8215)
        "100::/64",
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fec0::/10",
    )
)
_TRANSLATED = IPv6Network("64:ff9b::/96")
_INSIDE_NAMES = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
    "corp",
    "onion",
)
_METADATA_NAMES = ("metadata", "metadata.google.internal", "instance-data")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_BAD_CHARACTERS = re.compile(r"[\x00-\x20\x7f\\]")


class AddressRefused(Exception):
    """An address that is not opened; its text says why, in words a model or a person can use."""

    def __init__(self, kind: Literal["bad_url", "forbidden_address"], reason: str) -> None:
        self.kind: Literal["bad_url", "forbidden_address"] = kind
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class AddressRule:
    """What may be connected to."""

    ports: frozenset[int] = frozenset({80, 443, 8080, 8443})
    loopback: Literal["refused", "allowed"] = "refused"
    """Whether this computer may be reached, at any port; for tests and for one's own servers."""


PUBLIC = AddressRule()
"""The public internet, on the usual ports."""


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that may be requested, and the server it names."""

    url: str
    """Normalised: host in lower-case ASCII, no fragment."""
    scheme: Literal["http", "https"]
    host: str
    port: int

    @property
    def origin(self) -> str:
        """Scheme, host and port: what pauses and ``robots.txt`` apply to."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def target_of(url: str, rule: AddressRule = AddressRule()) -> Target:
    """Read a URL and refuse it for whatever can be seen without asking a name server.

    >>> target_of("https://Flk.NPC.gov.cn./detail?id=1#top").url
    'https://flk.npc.gov.cn/detail?id=1'

    Raises:
        AddressRefused: if it is no http(s) URL, carries a password, names an odd port, or names an
            address that is not public.
    """
    scheme = _readable(url)
    try:
        parsed = httpx.URL(url).copy_with(fragment=None)
        host = _host(urlsplit(url).hostname or "")
        port = parsed.port or (443 if scheme == "https" else 80)
        parsed = parsed.copy_with(host=host)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise AddressRefused("bad_url", f"not a web address: {error}") from error
    _require_allowed_host(host, rule)
    if port not in rule.ports and not (rule.loopback == "allowed" and is_loopback(host)):
        raise AddressRefused("forbidden_address", f"port {port} is not one web pages stand on")
    return Target(str(parsed), scheme, host, port)


def require_public(address: str, rule: AddressRule = AddressRule()) -> Address:
    """Check one resolved address.

    >>> str(require_public("93.184.215.14"))
    '93.184.215.14'

    Raises:
        AddressRefused: if it is private, loopback, link-local, multicast, reserved, of a metadata
            service, or carries such an address inside.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError as error:
        raise AddressRefused("forbidden_address", f"{address!r} is no IP address") from error
    for one in _meant(found):
        if one.is_loopback and rule.loopback == "allowed":
            continue
        if not _is_public(one):
            raise AddressRefused("forbidden_address", f"{address} is not a public address")
    return found


def _readable(url: str) -> Literal["http", "https"]:
    """The scheme, if the URL is fit to be parsed at all."""
    if len(url) > LONGEST_URL:
        raise AddressRefused("bad_url", f"longer than {LONGEST_URL} characters")
    if _BAD_CHARACTERS.search(url):
        raise AddressRefused(
            "bad_url", "a web address has no blanks, control characters or backslashes"
        )
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise AddressRefused("bad_url", f"not a web address: {error}") from error
    if parts.scheme not in ("http", "https"):
        raise AddressRefused("bad_url", "only http and https addresses are opened")
    if "@" in parts.netloc:
        raise AddressRefused("bad_url", "a web address with a user name or password is not opened")
    return "https" if parts.scheme == "https" else "http"


def _host(written: str) -> str:
    """The host in the one form it is compared and resolved in."""
    folded = unicodedata.normalize("NFKC", written).casefold().replace("。", ".")
    host = folded.removesuffix(".")
    if not host:
        raise AddressRefused("bad_url", "there is no host in it")
    if ":" in host:
        return ip_address(host).compressed
    if host.isascii():
        return host
    import idna  # a dependency of httpx

    return idna.encode(host, uts46=True).decode("ascii")


def _require_allowed_host(host: str, rule: AddressRule) -> None:
    # Browsers and C libraries read a host that ends in a number as an IPv4 address (WHATWG URL
    # 3.5); only its plain form is accepted here: no octal, hexadecimal or short ones.
    if ":" in host or _NUMBER.fullmatch(host.rpartition(".")[2]):
        try:
            require_public(str(ip_address(host)), rule)
        except ValueError as error:
            reason = f"{host!r} is an IP address in disguise"
            raise AddressRefused("forbidden_address", reason) from error
        return
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise AddressRefused("bad_url", f"{host!r} is not the name of a host")
    if rule.loopback == "allowed" and is_loopback(host):
        return
    inside = "." not in host or any(host.endswith(f".{name}") for name in _INSIDE_NAMES)
    if inside or host in _METADATA_NAMES:
        raise AddressRefused("forbidden_address", f"{host!r} is not a name on the public internet")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name or its address."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _meant(address: Address) -> Iterator[Address]:
    """The address, or the IPv4 address that packets to it reach in the end."""
    if isinstance(address, IPv4Address):
        yield address
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    if address in _TRANSLATED:  # RFC 6052: a network without IPv4 reaches all of it this way
        yield IPv4Address(int(address) & 0xFFFFFFFF)
        return
    yield address
    if address.sixtofour is not None:
        yield address.sixtofour
    if (int(address) >> 32) & 0xFCFFFFFF == 0x00005EFE:  # ISATAP, RFC 5214
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _is_public(address: Address) -> bool:
    return not (
        not address.is_global
        or address.is_multicast
        or address.is_reserved
        or address.is_link_local
        or any(address in network for network in _SPECIAL)
    )
