"""A precedent source must not hold the judgments that are to be predicted.

The published sets share cases with every pool of precedents. Whoever is shown the judgment of the
case that is asked predicts nothing, so a run does not begin before it is kept out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from inforce.corpus.home import home
from inforce.errors import UserError
from inforce.retrieval.sources.exclusion import is_excluded
from inforce.retrieval.sources.source import Source
from inforce.retrieval.sources.stored import open_sources
from inforce.scoring.cases import Case

_ASKED = 300
"""Characters of a fact that are searched for: its own judgment has all of them."""

_LOOKED_AT = 5


def require_unseen(cases: Sequence[Case]) -> None:
    """Make sure that the person's precedents hold none of these cases.

    Raises:
        UserError: if they do; names the command that makes the source again without them, and the
            file of fingerprints it needs, which was written.
    """
    source = open_sources(home()).get("precedent")
    if source is None:
        return
    known = sum(1 for _ in _held(source, cases))
    if not known:
        return
    kept_out = _write(cases)
    raise UserError(
        f"the precedents hold {known} of the cases that are asked, their judgments included: make "
        f"the source again without them: "
        f"inforce sources add precedent FILE... --rebuild --exclude {kept_out}"
    )


def _held(source: Source, cases: Sequence[Case]) -> Iterator[Case]:
    for case in cases:
        hits = source.search(case.fact[:_ASKED], k=_LOOKED_AT)
        if is_excluded([hit.document.text for hit in hits], {case.fingerprint}):
            yield case


def _write(cases: Sequence[Case]) -> Path:
    lines = "".join(f"{one}\n" for one in sorted({case.fingerprint for case in cases}))
    name = hashlib.sha256(lines.encode()).hexdigest()[:16]
    path = home() / "evals" / "ljp" / f"{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines, encoding="utf-8")
    return path
