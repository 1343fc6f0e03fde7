"""The same as `inforce.documents.untrusted`, for those who import it from here."""

from __future__ import annotations

from inforce.documents.untrusted import as_data, seal_of

__all__ = ["as_data", "seal_of"]
