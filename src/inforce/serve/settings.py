"""The settings of a server: where it listens, who may ask, and how much."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from inforce.errors import UserError
from inforce.llm.chat import OFFLINE

PORT: Final = 8642

_DOLLARS: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")

Auth = Literal["none", "token", "header"]
"""``token``: a bearer token of `inforce.serve.tokens`. ``header``: a proxy in front has
authenticated the client, and names it in a header."""

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """How a server runs. The defaults are those of one person on one machine."""

    home: Path | None = None
    """The data folder; the user's own by default."""
    host: str = "127.0.0.1"
    port: int = PORT
    workers: int = 1
    """Processes, each of which opens the corpus and the index."""
    auth: Auth = "none"
    user_header: str = "X-Forwarded-User"
    """Read with ``auth="header"`` only."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names of this server, besides those of this machine."""
    cors_origins: tuple[str, ...] = ()
    """Other sites whose pages may send requests."""
    max_body: int = 1_000_000
    """Bytes of a request."""
    max_upload: int = 33 * 2**20
    """Bytes of a request with a document; `inforce.documents.limits` has the other limits."""
    max_uploads: int = 4
    """Documents received at once in one process."""
    max_checking: float = 180.0
    """Seconds to read and check a document: a long one has thousands of citations."""
    max_seconds: float = 30.0
    """For one answer; runs of research have limits of their own."""
    max_waiting: int = 64
    """Questions that wait for a thread; more are refused with 503."""
    threads: int = min(4, os.cpu_count() or 1)
    """Questions answered at once in one process; more than processors gain nothing."""
    requests_a_minute: int = 0
    """Of one token, user or address; 0: unlimited."""
    model: str = OFFLINE
    """The model that takes an agent's turns. Requests cannot choose another."""
    web: str = ""
    """The web search agents may use."""
    max_runs: int = 2
    """Runs of research at once in one process."""
    run_tokens: int | None = None
    run_dollars: str | None = None
    run_seconds: float = 600.0
    caller_tokens: int | None = None
    """Of all runs of one caller in 24 hours; a run that has begun goes on to its own limits, which
    are these where it has none."""
    caller_dollars: str | None = None
    log_questions: bool = False
    """Whether logs may contain questions."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def host_names(self) -> frozenset[str]:
        """The names a ``Host`` header may have, without the port, in lower case."""
        own = () if self.host in ("0.0.0.0", "::") else (self.host,)
        return frozenset(name.lower() for name in (*LOOPBACK_NAMES, *own, *self.allowed_hosts))

    def check(self) -> None:
        """Refuse unsafe or impossible settings.

        Raises:
            UserError: says what to do.
        """
        if not self.is_loopback and self.auth == "none":
            raise UserError(
                f"other machines could reach {self.host}: say who may ask with --auth token "
                "(and inforce serve token add NAME), or with --auth header behind a proxy"
            )
        if self.workers < 1 or self.threads < 1:
            raise UserError("a server needs at least one worker and one thread")
        if self.caller_dollars is not None and not _DOLLARS.fullmatch(self.caller_dollars):
            raise UserError(f"{self.caller_dollars!r} is no sum of dollars: write 2.50")
        if not 0 <= self.port <= 65535:
            raise UserError(f"there is no port {self.port}: use 0 to 65535")
