"""Reading laws from files of any known format: all give `inforce.law.model.VersionText` values.

::

    jsonl       one version a line, with dates (plain or gzipped)
    lawrefbook  Markdown, one law a file, its history above the text
    law-chunks  JSON articles with validity dates
    docx        an official Word file of one law
    text        plain text of one law
    timeline    this library's own format: articles with their wordings over time
    just-laws   a folder of Markdown files that is one law
    git         a repository of such folders with all its commits, or a bundle of one

A law is checked whole before it is handed on. What cannot be used is reported with file and line,
and the rest is loaded.
"""

from __future__ import annotations

from inforce.corpus.loaders.loading import FORMATS, Format, load, sniff
from inforce.documents.files import OnProblem

__all__ = ["FORMATS", "Format", "OnProblem", "load", "sniff"]
