"""Text of strangers in what a model reads; see `inforce.web.untrusted`."""

from __future__ import annotations

from inforce.web.untrusted import as_data, seal_of

__all__ = ["as_data", "seal_of"]
