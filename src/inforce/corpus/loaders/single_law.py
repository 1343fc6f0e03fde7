"""One file that is one law: from its title, its note on adoption and its articles to a version.

Such a file does not say until when it was in force: it is taken as in force when it was obtained.
Together with other texts of the law it is dated by `inforce.corpus.dating`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from inforce.corpus.loaders.dating import Dating, Passage, read_dates
from inforce.corpus.loaders.layout import TextLine
from inforce.corpus.loaders.ordering import whole_law
from inforce.corpus.loaders.statute_text import Article, Body
from inforce.corpus.titles import split_edition
from inforce.documents.json_records import calendar_day
from inforce.errors import DateError, InputError
from inforce.law.model import Caption, Provision, Source, Version, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import instrument_of

_NAMED_DATE = re.compile(r"[（(]([0-9]{4}-[0-9]{2}-[0-9]{2})[）)]")
OPEN_NOTE = "taken as in force when obtained: the file does not say otherwise"
"""Why such a version is open."""


def single_law(
    title: str,
    header: Sequence[TextLine],
    body: Body,
    *,
    path: Path | str,
    source: Source,
    remarks: Sequence[str] = (),
) -> VersionText:
    """The version of a law that one file holds.

    Raises:
        InputError: if it has no text, or a date that no calendar has.
    """
    work, label = split_edition(title)
    provisions = [Provision(each.number, each.text, each.path) for each in body.articles]
    dating = read_dates(
        work,
        [Passage(line.number, line.text) for line in header],
        [Passage(article.line, article.text) for article in body.articles],
        provisions,
        path=path,
        named=_named_date(path),
    )
    version = Version(
        work,
        label or (dating.promulgated.isoformat() if dating.promulgated else ""),
        dating.validity,
        promulgated=dating.promulgated,
        instrument=_instrument(work, dating),
        holes=_skipped(body.articles),
        source=source,
        note="; ".join((OPEN_NOTE, *_annex_remark(body), *remarks)),
        history=dating.history,
    )
    try:
        return whole_law(version, provisions, captions=_captions(body.articles, version))
    except ValueError as error:
        raise InputError(f"{work}: {error}", path=path) from error


def editorial_captions(
    headings: Sequence[tuple[ProvisionNumber, str]], version: Version
) -> tuple[Caption, ...]:
    """Headings that an editor put before provisions, for as long as the version was in force.

    A caption needs a window: those of a version whose dates are not known are dropped.
    """
    window = version.validity.window
    authority = f"editorial heading in {version.source.name}"
    return tuple(
        Caption(number, text.removeprefix("【").removesuffix("】"), window, authority)
        for number, text in headings
        if window is not None and text
    )


def _captions(articles: Sequence[Article], version: Version) -> tuple[Caption, ...]:
    return editorial_captions([(each.number, each.editorial) for each in articles], version)


def _named_date(path: Path | str) -> date | None:
    match = _NAMED_DATE.search(Path(path).name)
    try:
        return calendar_day(match[1]) if match else None
    except DateError as error:
        raise InputError(f"the date in the file's name: {error}", path=path) from error


def _instrument(work: str, dating: Dating) -> str:
    if dating.commenced is None:
        return ""
    start, promulgated = dating.commenced, dating.promulgated
    return instrument_of(work, start=start, promulgated=promulgated) or ""


def _skipped(articles: Sequence[Article]) -> frozenset[ProvisionNumber]:
    """Article numbers jumped over: repealed or lost, the file cannot say which; so, holes."""
    held = {each.number.main for each in articles if each.number.kind == "article"}
    missing = set(range(1, max(held, default=0))) - held
    return frozenset(ProvisionNumber.article(main) for main in missing)


def _annex_remark(body: Body) -> tuple[str, ...]:
    line = body.annex_line
    return () if line is None else (f"annexes from line {line} are left out",)
