"""The errors of this library, sorted by who must act.

::

    InforceError                    anything this library raises on purpose
    ├── UserError                   the user must change something
    │   ├── DateError               a date that cannot be read, or that no calendar has
    │   ├── IdentifierError         an identifier or article number that cannot be read
    │   ├── UnknownWorkError        a law of which this corpus holds nothing
    │   ├── InputError              a file that is not what it claims to be (path, line)
    │   ├── StorageError            a file cannot be written: a full disk, no permission, in use
    │   ├── CorpusError             the corpus file is locked, too new, damaged, or over a threshold
    │   │   └── MissingCorpusError  there is none yet, or nothing was ever put into it
    │   ├── SearchIndexError        the search index is missing, stale, or made by another encoder
    │   ├── ModelError              a model cannot be reached, or did not keep its contract
    │   ├── FeedError               a public source of laws is out of reach, or answers otherwise
    │   ├── BudgetError             a run has spent its tokens, calls, money or time
    │   ├── NetworkForbiddenError   something tried to reach a network that is switched off
    │   └── MissingExtraError       an optional library is not installed; names the exact command
    └── InternalError               a promise of this library is broken: report it

"Not found", "not in force then" and "not covered" are answers, not errors: see
`inforce.law.timeline.Lookup`.
"""

from __future__ import annotations

from pathlib import Path

_SHOWN = 200
"""Characters of a user's text that a message repeats."""


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class InforceError(Exception):
    """Anything this library raises on purpose."""

    kind = "error"
    """The word that names this failure in ``--json`` output."""

    exit_status = 1
    """The exit status of a command that fails so."""


class UserError(InforceError):
    """The user must change something; the message says what, where and what to do."""

    kind = "usage"
    exit_status = 2


class DateError(UserError):
    """A date that cannot be read, or that no calendar has; names the text."""

    kind = "bad_date"

    def __init__(self, text: str, reason: str) -> None:
        self.text = text
        self.reason = reason
        super().__init__(f"cannot read {_shortened(text)!r} as a date: {reason}")


class IdentifierError(UserError):
    """An identifier, numeral or article number that cannot be read; names the text."""

    kind = "bad_identifier"

    def __init__(self, text: str, reason: str) -> None:
        self.text = text
        self.reason = reason
        super().__init__(f"cannot read {_shortened(text)!r}: {reason}")


class UnknownWorkError(UserError):
    """A law of which this corpus holds nothing (so no question about it is covered)."""

    kind = "unknown_work"
    exit_status = 5

    def __init__(self, name: str, suggestions: tuple[str, ...] = ()) -> None:
        self.name = name
        self.suggestions = suggestions
        shown, meant = _shortened(name), "、".join(suggestions)
        if suggestions:
            super().__init__(
                f"no law called {shown!r} in this corpus; did you mean {meant}? "
                "(see: inforce corpus list)"
            )
        else:
            super().__init__(f"no law called {shown!r} in this corpus (see: inforce corpus list)")


class InputError(UserError):
    """A file that is not what it claims to be; names the path and, where there is one, the line."""

    kind = "bad_input"
    exit_status = 6

    def __init__(self, reason: str, *, path: Path | str, line: int | None = None) -> None:
        self.reason = reason
        self.path = str(path)
        self.line = line
        where = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{where}: {reason}")


class StorageError(UserError):
    """A file cannot be written: the disk is full, it is not allowed, or another writes to it."""

    kind = "storage"
    exit_status = 7

    def __init__(self, reason: str, *, path: Path | str) -> None:
        self.reason = reason
        self.path = str(path)
        super().__init__(f"{self.path}: {reason}")


class CorpusError(UserError):
    """The corpus file is locked, too new, damaged, or worse than a threshold allows."""

    kind = "corpus"
    exit_status = 7


class MissingCorpusError(CorpusError):
    """There is no corpus yet, or nothing was ever put into its file."""


class SearchIndexError(UserError):
    """The search index is missing, stale, damaged, or was made by another encoder."""

    kind = "index"
    exit_status = 7


class ModelError(UserError):
    """A model was named that cannot be reached, or did not keep its contract."""

    kind = "model"
    exit_status = 8


class FeedError(UserError):
    """A public source of laws cannot be reached, or answers in a form that is not known."""

    kind = "feed"
    exit_status = 11


class BudgetError(UserError):
    """A run has spent its tokens, calls, money or seconds; its results so far are stored."""

    kind = "budget"
    exit_status = 9


class NetworkForbiddenError(UserError):
    """Something tried to reach the network while it is switched off (`inforce.network`)."""

    kind = "network"
    exit_status = 10


class MissingExtraError(UserError):
    """An optional library is not installed; the message is the exact command that installs it."""

    kind = "missing_extra"

    def __init__(self, feature: str, extra: str) -> None:
        self.feature = feature
        self.extra = extra
        super().__init__(f"{feature} needs an optional part: pip install 'inforce[{extra}]'")


class InternalError(InforceError):
    """A promise of this library is broken; please report it."""

    kind = "internal"
    exit_status = 70
