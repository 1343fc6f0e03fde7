"""One switch for the network: after it is turned, any attempt to reach out is an error.

Confidential work, tests and replays need the promise that nothing leaves this machine. The switch
holds for every library in the process, not only for ours: it watches where Python opens a
connection or looks up the address of a name (audit events, PEP 578). Not seen are native code
that opens sockets of its own (its callers call `check` first) and the look-up of a name
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
    """The mode of this process, and whether attempts to connect are watched yet."""

    def __init__(self) -> None:
        self.mode: Mode | None = None
        self.is_watching = False

    def turn(self, mode: Mode | None) -> None:
        self.mode = mode
        if mode not in (None, "open") and not self.is_watching:
            self.is_watching = True
            sys.addaudithook(_refuse_attempts)


_SWITCH = _Switch()


def mode() -> Mode:
    """The mode of this process.

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
    named = os.environ.get(VARIABLE, "") or "open"
    known: dict[str, Mode] = {one: one for one in get_args(Mode)}
    if named not in known:
        raise UserError(f"{VARIABLE} is {named!r}: use open, loopback or off")
    _SWITCH.turn(known[named])


def check(address: str) -> None:
    """Refuse to go on towards a URL or host that the mode does not allow.

    Raises:
        NetworkForbiddenError: if it does not.
    """
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or address
    except ValueError:
        host = address
    _require_allowed(host)


def require_no_secret(address: str, *, what: str, instead: str) -> None:
    """Refuse an address with a password in it: addresses are stored, and shown in results.

    Args:
        address: a URL.
        what: the service at the address, for the message.
        instead: where the secret belongs.

    Raises:
        UserError: if it holds a user name, a password or a query; does not repeat them.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return  # no URL: its user reports that
    if "@" in parts.netloc or parts.query:
        raise UserError(
            f"the address of {what} at {parts.hostname} holds a user name, a password or a query: "
            f"leave them out, and put its key into {instead}"
        )


def _refuse_attempts(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: it cannot be removed, and does nothing while the network is open."""
    if _SWITCH.mode in (None, "open"):
        return
    if event in _CONNECTS and isinstance(arguments[-1], tuple):  # a path is no network
        host: object = cast("tuple[object, ...]", arguments[-1])[0]
    elif event in _RESOLVES:
        host = arguments[0]
    else:
        return
    _require_allowed(host.decode(errors="replace") if isinstance(host, bytes) else str(host or ""))


def _require_allowed(host: str) -> None:
    now = mode()
    if now == "open" or (now == "loopback" and _is_this_machine(host)):
        return
    words = "off" if now == "off" else "limited to this machine"
    raise NetworkForbiddenError(f"the network is {words}: {host} was not contacted")


def _is_this_machine(host: str) -> bool:
    """Whether a host is this machine; ``""`` and ``0.0.0.0`` are what servers listen on."""
    if host.rstrip(".").lower() in ("", "localhost", "localhost.localdomain", "none"):
        return True
    from ipaddress import ip_address  # loaded where the network is limited

    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
