"""Failures of calls to a model: whether to try again, and how to report them without a key."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from inforce.errors import NetworkForbiddenError

LONGEST_WAIT = 60.0
"""Seconds: a server that asks for more is not waited for."""

_TRANSIENT = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_CONNECTIONS = frozenset(("ModelConnectionError", "TimeoutError", "OSError"))
_SPENT = "ModelQuotaExceededError"

REDACTED = "…"
"""Stands in the place of a key."""

_SHOWN = 200
"""Characters of a failure that are shown."""
_SHORTEST_KEY = 4
"""Characters: what is shorter is no key, and would only make a message unreadable."""

_KEY_LIKE = re.compile(r"(?i)\bbearer\s+[^\s\"'},]+|\bsk-[\w-]{6,}")


MAX_REPLY = 32 * 2**20
"""Bytes of a reply: the longest turn of a model, with every token's probabilities, has a few."""


class ReplyTooLarge(ValueError):
    """A reply of more than `MAX_REPLY` bytes, or packed so that only unpacking it would tell."""


class Wait:
    """The wait before another attempt: as the server asks, else exponentially longer."""

    def __init__(self, otherwise: Any) -> None:
        self._otherwise = otherwise

    def __call__(self, state: Any) -> float:
        """Seconds before the next attempt, from tenacity's state of the call."""
        stated = retry_after(state.outcome.exception())
        waits: float = self._otherwise(state)
        return waits if stated is None else stated


def is_transient(error: BaseException) -> bool:
    """Return whether another attempt may succeed: not after a refusal, or with too long a wait."""
    if forbidden(error) or too_large(error) or (retry_after(error) or 0.0) > LONGEST_WAIT:
        return False
    kinds = _kinds(error)
    if _SPENT in kinds:  # also a 429, but waiting does not fill an account
        return False
    return getattr(error, "status_code", None) in _TRANSIENT or bool(kinds & _CONNECTIONS)


def is_late(error: BaseException) -> bool:
    """Return whether the time for an attempt was up."""
    return any("Timeout" in kind for kind in _kinds(error))


def _kinds(error: BaseException) -> set[str]:
    return {kind.__name__ for kind in type(error).__mro__}


def unreached(error: BaseException) -> str:
    """Return why there was no connection, in the words of the system; else empty."""
    if not _kinds(error) & _CONNECTIONS:
        return ""
    found = ""
    for one in _chain(error):
        if isinstance(one, OSError):
            found = one.strerror or str(one)
    return found or str(error)


def retry_after(error: BaseException) -> float | None:
    """Return the seconds the server asks to wait, if the library could read them."""
    stated = getattr(error, "retry_after", None)
    return float(stated) if isinstance(stated, int | float) else None


def forbidden(error: BaseException) -> NetworkForbiddenError | None:
    """Return the error of the switched-off network behind a failure, if there is one."""
    return next((one for one in _chain(error) if isinstance(one, NetworkForbiddenError)), None)


def too_large(error: BaseException) -> str:
    """Return how a reply was too large; empty if it was not."""
    return next((str(one) for one in _chain(error) if isinstance(one, ReplyTooLarge)), "")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield a failure and its causes, the first cause last."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def shown(error: Exception, secrets: Iterable[str]) -> str:
    """Return the server's words on a failure without anything that is or looks like a key."""
    words = " ".join(str(getattr(error, "body", None) or error).split())
    status = getattr(error, "status_code", None)
    # Before anything is cut off: half a key is still too much of it.
    shown = _KEY_LIKE.sub(REDACTED, without_keys(words, secrets, shortest=_SHORTEST_KEY))
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return f"status {status}: {shown}" if status else shown


def without_keys(words: str, secrets: Iterable[str], *, shortest: int = 8) -> str:
    """Return a text without keys: a server may repeat the one it was sent.

    Args:
        words: the text.
        secrets: keys; those of the environment count too.
        shortest: what is shorter is a word rather than a key.
    """
    environment = (value for name, value in os.environ.items() if name.endswith(("_KEY", "_TOKEN")))
    known = {one for one in (*secrets, *environment) if len(one) >= shortest}
    for key in sorted(known, key=len, reverse=True):
        words = words.replace(key, REDACTED)
    return words
