"""The national register of laws (国家法律法规数据库, flk.npc.gov.cn): its forms, and asking it.

Three requests: a page of the list (``POST /law-search/search/list``), what is known of a text with
the other versions of its law (``GET /law-search/search/flfgDetails?bbbs=``), and where its Word
file is (``GET /law-search/download/pc?format=docx&bbbs=``). Every field that is used is checked: an
answer in another form is an error that names the request and the field, never an empty result.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast, get_args
from urllib.parse import urlencode

from inforce.corpus.titles import plain_title, short_title, split_edition
from inforce.documents.json_records import JsonFile, JsonObject
from inforce.errors import FeedError, InputError
from inforce.web.fetch import Fetcher
from inforce.web.page import FetchFailure, Page

LIST = "/law-search/search/list"
DETAILS = "/law-search/search/flfgDetails"
WORD_FILE = "/law-search/download/pc"

NATIONAL = (
    *(100, 101, 102, 110, 120, 130, 140, 150, 155, 160, 170, 180, 190, 195, 200),
    *(201, 210, 215, 220, 311, 320, 330, 340, 350),
)
"""Codes of the kinds of texts: the constitution and laws, regulations of the State Council and of
supervision, judicial interpretations; local regulations are left out."""

PAGE_SIZE = 20
ATTEMPTS = 3
FIRST_WAIT = 1.0
LONGEST_WAIT = 120.0
"""Seconds the site may ask to wait; longer, and the fetch ends with what is stored."""

State = Literal[1, 2, 3, 4]
"""``sxx``: 1 repealed, 2 amended since, 3 in force, 4 not yet in force."""

_KEY = re.compile(r"[0-9A-Za-z_-]{8,64}")
_MARK = re.compile(r"</?[a-z][^>]*>")
_WORD_FILE = b"PK"


@dataclass(frozen=True, slots=True)
class Entry:
    """One text as the register lists it."""

    key: str
    """``bbbs``: the register's own name for the text."""
    title: str
    promulgated: date | None
    commenced: date | None
    state: State
    issuer: str = ""
    kind: str = ""
    """法律, 行政法规, 司法解释, …"""


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the list, and how many texts the whole list has."""

    total: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """What the register knows of one text."""

    entry: Entry
    versions: tuple[Entry, ...]
    """``lsyg``: the other texts of the same law, as far as the register has them."""


class Register:
    """Asks the register, one request at a time.

    Args:
        address: where it is: scheme and host.
        fetcher: keeps the pace, follows ``robots.txt``, and guards against other addresses.
    """

    def __init__(self, address: str, fetcher: Fetcher) -> None:
        self._address = address.rstrip("/")
        self._fetcher = fetcher

    async def page(self, number: int, *, title: str = "") -> Listing:
        """A page of the national texts, or of those whose titles have these words.

        Raises:
            FeedError: if the register cannot be reached, or answers in another form.
        """
        asked = {
            "searchRange": 1,
            "searchType": 2,
            "searchContent": title,
            "sxrq": [],
            "gbrq": [],
            "sxx": [],
            "gbrqYear": [],
            "flfgCodeId": list(NATIONAL),
            "zdjgCodeId": [],
            "orderByParam": {"order": "-1", "sort": ""},
            "pageNum": number,
            "pageSize": PAGE_SIZE,
        }
        return read_listing(await self._ask(LIST, body=json.dumps(asked).encode()))

    async def details(self, key: str) -> Details:
        """What is known of a text, and the versions of its law.

        Raises:
            FeedError: as `page`.
        """
        return read_details(await self._ask(f"{DETAILS}?{urlencode({'bbbs': key})}"))

    async def word_file(self, key: str) -> bytes:
        """The Word file of a text.

        Raises:
            FeedError: as `page`; also if the file is none.
        """
        asked = f"{WORD_FILE}?{urlencode({'format': 'docx', 'bbbs': key})}"
        page = await self._page(read_word_address(await self._ask(asked)))
        if not page.content.startswith(_WORD_FILE):
            raise FeedError(f"{asked}: what it leads to is no .docx file")
        return page.content

    async def _ask(self, path: str, *, body: bytes | None = None) -> JsonObject:
        page = await self._page(self._address + path, body=body)
        return read_answer(page.content, path=path)

    async def _page(self, url: str, *, body: bytes | None = None) -> Page:
        attempt = 1
        while not isinstance(answer := await self._fetcher.fetch(url, body=body), Page):
            if attempt == ATTEMPTS or not _passes(answer):
                raise _out_of_reach(answer)
            await asyncio.sleep(answer.retry_after or FIRST_WAIT * 2**attempt)
            attempt += 1
        return answer


def _passes(failure: FetchFailure) -> bool:
    """Whether asking again a little later may help."""
    if failure.kind in ("timeout", "unreachable", "malformed"):
        return True
    return failure.kind == "rate_limited" and (failure.retry_after or 0.0) <= LONGEST_WAIT


def _out_of_reach(failure: FetchFailure) -> FeedError:
    where = failure.url.partition("?")[0]  # what follows may be a key to a file
    return FeedError(
        f"{where}: {failure.message}; nothing was added, what was fetched stays, and the next "
        "fetch goes on from there"
    )


def read_answer(content: bytes, *, path: str) -> JsonObject:
    """An answer of the register: an object whose ``code`` says that all went well.

    Raises:
        FeedError: if it is anything else.
    """
    try:
        answer = JsonFile(path, content.decode("utf-8-sig", errors="replace")).parse()
    except InputError as problem:
        raise _unknown_form(problem) from problem
    if answer.value("code") != 200:
        said = str(answer.value("msg"))[:200]
        raise FeedError(f"{path}: the register answers with code {answer.value('code')!r}: {said}")
    return answer


def read_listing(answer: JsonObject) -> Listing:
    """A page of the list.

    Raises:
        FeedError: if it has another form.
    """
    try:
        total = answer.value("total")
        if not isinstance(total, int) or isinstance(total, bool):
            raise answer.problem("'total' is missing or is no number")
        if "rows" not in answer.values:
            raise answer.problem("'rows' is missing")
        return Listing(total, tuple(map(_entry, answer.objects("rows"))))
    except InputError as problem:
        raise _unknown_form(problem) from problem


def read_details(answer: JsonObject) -> Details:
    """What is known of a text.

    Raises:
        FeedError: if it has another form.
    """
    try:
        data = answer.object("data")
        if "lsyg" not in data.values:
            raise data.problem("'lsyg', the list of versions, is missing")
        return Details(_entry(data), tuple(map(_entry, data.objects("lsyg"))))
    except InputError as problem:
        raise _unknown_form(problem) from problem


def read_word_address(answer: JsonObject) -> str:
    """Where the Word file of a text is.

    Raises:
        FeedError: if the answer has another form.
    """
    try:
        return answer.object("data").required_text("url")
    except InputError as problem:
        raise _unknown_form(problem) from problem


def _entry(row: JsonObject) -> Entry:
    key, state = row.required_text("bbbs"), row.value("sxx")
    if not _KEY.fullmatch(key):
        raise row.problem(f"'bbbs' is {key!r:.80}, which names no text")
    if state not in get_args(State):
        raise row.problem(f"'sxx' is {state!r:.80}: 1, 2, 3 or 4 are known")
    return Entry(
        key,
        _MARK.sub("", row.required_text("title")).strip(),
        row.day("gbrq"),
        row.day("sxrq"),
        cast("State", state),
        row.text("zdjgName"),
        row.text("flxz"),
    )


def _unknown_form(problem: InputError) -> FeedError:
    return FeedError(
        f"the register answers in a form that this release does not know ({problem}); nothing was "
        "added: report it"
    )


def titled(entries: Sequence[Entry], name: str) -> tuple[Entry, ...]:
    """Of the texts found by words of a title those that have it."""
    return tuple(one for one in entries if is_titled(one.title, name))


def is_titled(title: str, name: str) -> bool:
    """Whether a law is the one that is named, in full or short: 中华人民共和国刑法, 刑法.

    >>> is_titled("中华人民共和国宪法（2018年修正文本）", "宪法")
    True
    """
    return _bare(title) == _bare(name)


def _bare(title: str) -> str:
    return short_title(plain_title(split_edition(title)[0]))
