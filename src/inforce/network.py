"""One switch for the network: after it is turned, any attempt to reach out is an error.

Confidential work, tests and replays need the promise that nothing leaves this machine. The switch
holds for every library in the process, not only for ours: it listens where Python itself is asked
for a connection or for the address of a name (audit events, PEP 578). Not seen are native code
that opens sockets of its own (whoever starts some calls `check` first) and the look-up of a name
that is given to a bare ``socket.connect``: it may ask a name server before it is refused.

``INFORCE_NETWORK`` sets the mode of a process: ``open`` (the default), ``loopback`` (this machine
only), ``off``.

>>> with restrict("off"):
...     check("https://example.org/")
Traceback (most recent call last):
...
inforce.errors.NetworkForbiddenError: the network is off: example.org was not contacted
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Literal, cast, get_args
from urllib.parse import urlsplit

from inforce.errors import NetworkForbiddenError, UserError

Mode = Literal["open", "loopback", "off"]

VARIABLE = "INFORCE_NETWORK"

_CONNECTS = frozenset(("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getnameinfo"))
_RESOLVES = frozenset(("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"))


class _Switch:
    """The mode of this process, and whether anybody listens for attempts yet."""

    def __init__(self) -> None:
        self.mode: Mode | None = None
        self.listens = False

    def turn(self, mode: Mode | None) -> None:
        self.mode = mode
        if mode not in (None, "open") and not self.listens:
            self.listens = True
            sys.addaudithook(_listen)


_SWITCH = _Switch()


def mode() -> Mode:
    """What may be reached now.

    Raises:
        UserError: if ``INFORCE_NETWORK`` names no mode.
    """
    if _SWITCH.mode is None:
        apply_environment()
    return _SWITCH.mode or "open"


def switch(mode: Mode) -> None:
    """Turn the switch for the rest of this process."""
    _SWITCH.turn(mode)


@contextmanager
def restrict(mode: Mode) -> Generator[None]:
    """Turn the switch for a while, for the whole process."""
    before = _SWITCH.mode
    _SWITCH.turn(mode)
    try:
        yield
    finally:
        _SWITCH.turn(before)


def apply_environment() -> None:
    """Turn the switch to what ``INFORCE_NETWORK`` says; every command begins with this.

    Raises:
        UserError: if it names no mode.
    """
    _SWITCH.turn(_of_environment())


def check(address: str) -> None:
    """Refuse to go on towards a URL or host that the mode does not allow.

    Raises:
        NetworkForbiddenError: if it does not.
    """
    _require(_host(address))


def require_no_secret(address: str, *, what: str, instead: str) -> None:
    """Refuse an address with a password in it: addresses are stored, and shown in results.

    Args:
        address: a URL.
        what: whose address it is, for the message.
        instead: where the secret belongs.

    Raises:
        UserError: if it holds a user name, a password or a query; does not repeat them.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return  # whoever uses it says that it is none
    if "@" in parts.netloc or parts.query:
        raise UserError(
            f"the address of {what} at {parts.hostname} holds a user name, a password or a query: "
            f"leave them out, and put its key into {instead}"
        )


def _host(address: str) -> str:
    """Whose name an address holds; what cannot be read is nobody's we know."""
    try:
        return urlsplit(address if "//" in address else f"//{address}").hostname or address
    except ValueError:
        return address


def _of_environment() -> Mode:
    named = os.environ.get(VARIABLE, "") or "open"
    for known in get_args(Mode):
        if named == known:
            return known
    raise UserError(f"{VARIABLE} is {named!r}: use open, loopback or off")


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: it cannot be removed, and does nothing while the network is open."""
    if event in _CONNECTS:
        if _SWITCH.mode not in (None, "open") and isinstance(arguments[-1], tuple):
            _require(_text(cast("tuple[object, ...]", arguments[-1])[0]))  # a path is no network
    elif event in _RESOLVES and _SWITCH.mode not in (None, "open"):
        _require(_text(arguments[0]))


def _require(host: str) -> None:
    now = mode()
    if now == "open" or (now == "loopback" and _is_here(host)):
        return
    words = "off" if now == "off" else "limited to this machine"
    raise NetworkForbiddenError(f"the network is {words}: {host} was not contacted")


def _is_here(host: str) -> bool:
    """Whether a host is this machine; ``""`` and ``0.0.0.0`` are what servers listen on."""
    if host.rstrip(".").lower() in ("", "localhost", "localhost.localdomain", "none"):
        return True
    from ipaddress import ip_address  # loaded by whoever limits the network

    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _text(host: object) -> str:
    return host.decode(errors="replace") if isinstance(host, bytes) else str(host or "")
