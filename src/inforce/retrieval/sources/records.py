"""How a document lies in a BM25 index: by its words, its names and its days.

Words are cut by us and kept without positions. The document itself lies elsewhere
(`inforce.retrieval.sources.texts`), found by its row. Days are two numbers, the first day and the
first day no longer (proleptic ordinals); a document whose days are not known spans all days.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import tantivy

from inforce.dates import DateRange, LegalDate
from inforce.retrieval.engines.validity import FOREVER
from inforce.retrieval.sources.source import SourceDocument, SourceName

PASSAGE_MARK = "#"
"""Parts a document's id from the number of a passage of it: ``guide-0000#3``."""

ANY_PERIOD = "any"
"""The period of documents that are not of one known year."""

LONGER = "longer than a day"
"""The second period of documents whose days are more than one."""

WRITTEN_DATE = "date"
"""Where the details keep a date of which only the year or the month is known."""


@dataclass(frozen=True, slots=True)
class Days:
    """The days a document answers for, as ordinals: ``first <= day < end``."""

    first: int
    end: int

    @property
    def periods(self) -> tuple[str, ...]:
        """Words that documents are counted by: their year, and whether they are of one day."""
        if self.end == self.first + 1:
            return (year(self.first),)
        within = self != ALL_DAYS and year(self.first) == year(self.end - 1)
        return (year(self.first) if within else ANY_PERIOD, LONGER)


ALL_DAYS = Days(0, FOREVER)


def days_of(source: SourceName, document: SourceDocument) -> Days:
    """The day, month or year of the decision of a precedent; of all others, the days in force."""
    if source != "precedent":
        return of_range(document.valid) if document.valid else ALL_DAYS
    if document.date:
        return of_range(DateRange.day(document.date))
    written = document.details.get(WRITTEN_DATE)
    return of_range(LegalDate.parse(written).range) if written else ALL_DAYS


def of_range(days: DateRange) -> Days:
    """A range of dates as ordinals."""
    return Days(days.start.toordinal(), days.end.toordinal() if days.end else FOREVER)


def year(day: int) -> str:
    """The period that a day belongs to."""
    return str(date.fromordinal(day).year)


def text_to_index(document: SourceDocument) -> str:
    """What is searched: title, heading, and text; a title that the text begins with counts once."""
    heading = f"{document.title}\n{document.section}"
    return document.text if document.text.startswith(heading) else f"{heading}\n{document.text}"


def whole_id(document_id: str) -> str:
    """The id of the document that a passage is part of; of a whole document, its own."""
    return document_id.partition(PASSAGE_MARK)[0]


def entry(row: int, days: Days, document_id: str, words: str) -> tantivy.Document:
    """A document as tantivy takes it; ``words`` are those of `text_to_index`, by spaces."""
    made = tantivy.Document()
    made.add_text("body", words)
    made.add_text("name", document_id)
    if (whole := whole_id(document_id)) != document_id:
        made.add_text("name", whole)
    for period in days.periods:
        made.add_text("period", period)
    made.add_unsigned("row", row)
    made.add_unsigned("first", days.first)
    made.add_unsigned("end", days.end)
    return made


def schema() -> tantivy.Schema:
    """The fields of the index."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("name", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("period", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("row", fast=True)
    builder.add_unsigned_field("first", indexed=True, fast=True)
    builder.add_unsigned_field("end", indexed=True, fast=True)
    return builder.build()
