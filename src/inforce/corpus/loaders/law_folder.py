"""A folder of Markdown files that is one law, as in the repository just-laws.

``README.md`` has the title and the dated history lines, and the articles of a short law; those of a
long one are in files beside it (``01-general-provisions.md``), in the order of their numbers. A
file whose own heading is a title (an amendment, a decision) is an instrument of its own, and one
headed 修正案 holds several. ``versions.json``, where there is one, names further editions of the
law in folders below, with their days. Articles begin ``**第一条**　``.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from inforce.corpus.loaders.checks import number_of
from inforce.corpus.loaders.single_law import single_law
from inforce.corpus.loaders.statute_text import (
    TextLine,
    is_numbered,
    parse_body,
    split_header,
    text_lines,
)
from inforce.documents.charset import decode_strictly
from inforce.documents.files import OnProblem
from inforce.documents.json_records import JsonFile, JsonObject
from inforce.errors import InputError
from inforce.law.history import enactments, read_history
from inforce.law.model import Act, Source, Validity, VersionText

README = "README.md"
VERSIONS = "versions.json"

_HEADING = re.compile(r"(#{1,6})\s*(.*)")
_BOLD_NUMBER = re.compile(r"\*\*(第[^*]{1,24}条(?:之[^*]{1,6})?)\*\*[\s\u3000]*")
_EMPHASIS = re.compile(r"\A\*(?!\*)(.*)\*\Z")
_HTML = re.compile(r"\A\s*(?:<|\|)")
_PART = re.compile(
    r"第[〇零一二三四五六七八九十百]{1,6}(?:编|分编|章|节)|总则|分则|附则|序言|附件|附录|目录"
)
_ANNEX = re.compile(r"附(?!\s*则)|.{2,20}表[一二三四五六七八九十]?(?:[（(].*)?\Z")
_NO_HISTORY = ("#", "-", "*", "next", "prev")
_AMENDMENTS = "修正案"
_QUOTED = re.compile(r"“([^“”\n]{12,})")
_INCLUDED_FROM = 0.8
"""The share of what an amendment says anew that must be in a text for the text to include it."""
_FIRST = re.compile(r"第[〇零一二两三四五六七八九十百千]{1,9}条")


@dataclass(frozen=True, slots=True)
class _Document:
    """One heading of the first kind with the lines below it."""

    path: str
    title: str
    lines: tuple[TextLine, ...]

    @property
    def is_part(self) -> bool:
        """Whether it is a part of the law of its folder rather than an instrument of its own."""
        return bool(_PART.match("".join(self.title.split())))

    @property
    def first_number(self) -> int:
        """The number of its first article, which says where the part belongs."""
        for line in self.lines:
            match = _FIRST.match(line.text)
            if match:
                return number_of(match[0]).main
        return 0 if "序言" in self.title else 10_000


def is_law_folder(files: Mapping[str, bytes]) -> bool:
    """Whether these files, by their names in a folder, are one law in this layout."""
    if README not in files:
        return False
    text = files[README].decode("utf-8", errors="replace")
    if _BOLD_NUMBER.search(text):
        return True
    header = (line.strip() for line in text.split("\n")[:60])
    is_dated = any(read_history([line]) for line in header if not line.startswith(_NO_HISTORY))
    return is_dated and (len(files) > 1 or any(is_numbered(line) for line in text_lines(text)))


def parse_law_folder(
    files: Mapping[str, bytes], *, path: str, source: Source, on_problem: OnProblem
) -> Iterator[VersionText]:
    """Every text in the files of one folder: editions of its law, and instruments beside it.

    Args:
        files: contents by name relative to the folder.
        path: the folder, for messages.
        source: where it is from; each text gets the path of its own file.
        on_problem: called with what was left out.
    """
    declared = _declared_editions(files, path)
    roots = {entry: posixpath.dirname(entry) for entry in declared} or {README: ""}
    for entry, root in sorted(roots.items()):
        inside = {
            posixpath.relpath(name, root) if root else name: data
            for name, data in files.items()
            if name.endswith(".md") and (name.startswith(f"{root}/") if root else "/" not in name)
        }
        where = posixpath.join(path, root) if root else path
        try:
            yield from _edition(inside, where, source, declared.get(entry), on_problem)
        except InputError as problem:
            on_problem(problem)


def _edition(
    files: Mapping[str, bytes],
    path: str,
    source: Source,
    declared: JsonObject | None,
    on_problem: OnProblem,
) -> Iterator[VersionText]:
    documents: list[_Document] = []
    for name in sorted(files):
        where = posixpath.join(path, name)
        found = list(_documents(files[name], where))
        if not found and name != README:
            on_problem(InputError("no heading: left out", path=where))
        documents += found
    main = next((one for one in documents if posixpath.basename(one.path) == README), None)
    if main is None or not main.title:
        raise InputError("no title: the first heading must be the law's", path=path)
    parts = sorted(
        (one for one in documents if one is not main and one.is_part),
        key=lambda one: (one.first_number, one.path),
    )
    others = [one for one in documents if one is not main and not one.is_part]
    instruments: list[VersionText] = []
    for other in others:
        try:
            instruments.append(_law(other, (), source))
        except InputError as problem:
            on_problem(problem)
    law = _law(main, parts, source)
    included = _included_amendments(law, instruments)
    version = replace(law.version, history=(*law.version.history, *included))
    if included and (made := enactments(version.history)):
        version = replace(version, promulgated=made[-1].passed, label=made[-1].passed.isoformat())
    if declared is not None:
        version = replace(
            version,
            label=declared.text("label") or version.label,
            validity=_declared_validity(declared),
            promulgated=declared.day("promulgatedOn") or version.promulgated,
        )
    yield replace(law, version=version)
    yield from instruments


def _law(document: _Document, parts: Sequence[_Document], source: Source) -> VersionText:
    split = split_header(document.lines)
    body = [*_before_annexes(split.after)]
    for part in parts:
        body += [TextLine(1, part.title, 1), *part.lines]
    parsed = parse_body(body, path=document.path)
    if not parsed.articles:
        raise InputError("no article: not a law", path=document.path)
    own = replace(source, path=document.path)
    return single_law(document.title, split.before, parsed, path=document.path, source=own)


def _before_annexes(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines before the annexes, which are under headings of their own."""
    begun = False
    for index, line in enumerate(lines):
        begun = begun or is_numbered(line)
        if begun and line.level and _ANNEX.match(line.text):
            return lines[:index]
    return lines


def _included_amendments(law: VersionText, instruments: Sequence[VersionText]) -> list[Act]:
    """The amendments in the law's folder that its text includes but its history does not list.

    A repository may hold an amendment that it has not yet worked into the text; so one counts only
    where what it says anew is in the text.
    """
    last = max((act.day for act in law.version.history), default=date.min)
    later: list[tuple[date, VersionText]] = []
    for one in instruments:
        made, title = one.version.promulgated, one.version.work
        amends = title.startswith(f"{law.version.work}{_AMENDMENTS}") and one.version.history
        if amends and made is not None and made > last:
            later.append((made, one))
    later.sort(key=lambda one: one[0])
    text = "".join("".join(provision.text.split()) for provision in law.provisions)
    included = [place for place, (_, one) in enumerate(later) if _is_included(one, text)]
    return [
        Act(made, "amended", one.version.history[0].body, one.version.work)
        for made, one in later[: max(included, default=-1) + 1]
    ]


def _is_included(instrument: VersionText, text: str) -> bool:
    quoted = [
        "".join(words.split())
        for provision in instrument.provisions
        for words in _QUOTED.findall(provision.text)
    ]
    return bool(quoted) and sum(words in text for words in quoted) >= _INCLUDED_FROM * len(quoted)


def _documents(data: bytes, path: str) -> Iterator[_Document]:
    """The law or laws in a file: one under its first heading, or several under 修正案."""
    lines = _lines(decode_strictly(data, path=path).text)
    starts = [index for index, line in enumerate(lines) if line.level == 1]
    for start, end in pairwise([*starts, len(lines)]):
        title, below = lines[start].text, lines[start + 1 : end]
        if title != _AMENDMENTS:
            yield _Document(path, title, tuple(below))
            continue
        inner = [index for index, line in enumerate(below) if line.level == 2]
        for first, last in pairwise([*inner, len(below)]):
            yield _Document(path, below[first].text, tuple(below[first + 1 : last]))


def _lines(text: str) -> list[TextLine]:
    """The lines without Markdown signs, front matter, tables and HTML."""
    if text.startswith("---\n"):
        _, _, text = text[4:].partition("\n---")
    found: list[TextLine] = []
    in_style = False
    for line in text_lines(text):
        in_style = (in_style or line.text.startswith("<style")) and "</style>" not in line.text
        if in_style or _HTML.match(line.text) or line.text.startswith("---"):
            continue
        match = _HEADING.fullmatch(line.text)
        if match:
            found.append(TextLine(line.number, match[2].strip(), len(match[1])))
            continue
        words = _BOLD_NUMBER.sub(lambda bold: f"{bold[1]}\u3000", line.text)
        words = _EMPHASIS.sub(r"\1", words).replace("**", "")
        if words.strip():
            found.append(TextLine(line.number, words.strip()))
    return found


def _declared_editions(files: Mapping[str, bytes], path: str) -> dict[str, JsonObject]:
    """The editions that ``versions.json`` names, by the file each begins with."""
    if VERSIONS not in files:
        return {}
    where = posixpath.join(path, VERSIONS)
    record = JsonFile(where, decode_strictly(files[VERSIONS], path=where).text).parse()
    return {one.required_text("entry"): one for one in record.objects("versions")}


def _declared_validity(declared: JsonObject) -> Validity:
    start, end = declared.day("effectiveFrom"), declared.day("effectiveTo")
    try:
        return Validity(start, end, "exact" if end else "open", "header")
    except ValueError as error:
        raise declared.problem(str(error), field="effectiveTo") from None
