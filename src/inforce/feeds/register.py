"""The national register of laws (国家法律法规数据库, flk.npc.gov.cn): its requests and answers.

Three requests: a page of the list (``POST /law-search/search/list``), what is known of a text with
the other versions of its law (``GET /law-search/search/flfgDetails?bbbs=``), and where its Word
file is (``GET /law-search/download/pc?format=docx&bbbs=``). Every field that is used is checked: an
answer in another form is an error that names the request and the field, never an empty result.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Generator
from contextlib import contextmanager
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
    """The entry of one text, and those of the other versions of its law."""

    entry: Entry
    versions: tuple[Entry, ...]
    """``lsyg``: the other texts of the same law, as far as the register has them."""


class Register:
    """Sends requests to the register, one at a time.

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
        request = {
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
        answer = await self._answer(LIST, body=json.dumps(request).encode())
        with _known_form():
            total = answer.value("total")
            if not isinstance(total, int) or isinstance(total, bool):
                raise answer.problem("'total' is missing or is no number")
            if "rows" not in answer.values:
                raise answer.problem("'rows' is missing")
            return Listing(total, tuple(map(_entry, answer.objects("rows"))))

    async def details(self, key: str) -> Details:
        """Return the entry of a text, with the versions of its law.

        Raises:
            FeedError: as `page`; also if the answer is about another text.
        """
        answer = await self._answer(f"{DETAILS}?{urlencode({'bbbs': key})}")
        with _known_form():
            data = answer.object("data")
            if "lsyg" not in data.values:
                raise data.problem("'lsyg', the list of versions, is missing")
            details = Details(_entry(data), tuple(map(_entry, data.objects("lsyg"))))
        if details.entry.key != key:
            raise FeedError(f"{DETAILS}: asked for {key}, answered with {details.entry.key}")
        return details

    async def word_file(self, key: str) -> bytes:
        """The Word file of a text.

        Raises:
            FeedError: as `page`; also if the file is none.
        """
        path = f"{WORD_FILE}?{urlencode({'format': 'docx', 'bbbs': key})}"
        answer = await self._answer(path)
        with _known_form():
            address = answer.object("data").required_text("url")
        page = await self._page(address)
        if not page.content.startswith(_WORD_FILE):
            raise FeedError(f"{path}: what it leads to is no .docx file")
        return page.content

    async def _answer(self, path: str, *, body: bytes | None = None) -> JsonObject:
        """An answer of the register: an object whose ``code`` says that all went well."""
        page = await self._page(self._address + path, body=body)
        with _known_form():
            answer = JsonFile(path, page.content.decode("utf-8-sig", errors="replace")).parse()
        if (code := answer.value("code")) != 200:
            reason = str(answer.value("msg"))[:200]
            raise FeedError(f"{path}: the register answers with code {code!r}: {reason}")
        return answer

    async def _page(self, url: str, *, body: bytes | None = None) -> Page:
        attempt = 1
        while not isinstance(answer := await self._fetcher.fetch(url, body=body), Page):
            if attempt == ATTEMPTS or not _may_pass(answer):
                where = answer.url.partition("?")[0]  # what follows may be a key to a file
                raise FeedError(
                    f"{where}: {answer.message}; nothing was added, what was fetched stays, and "
                    "the next fetch goes on from there"
                )
            await asyncio.sleep(answer.retry_after or FIRST_WAIT * 2**attempt)
            attempt += 1
        return answer


def _may_pass(failure: FetchFailure) -> bool:
    """Whether asking again a little later may help."""
    if failure.kind in ("timeout", "unreachable", "malformed"):
        return True
    return failure.kind == "rate_limited" and (failure.retry_after or 0.0) <= LONGEST_WAIT


@contextmanager
def _known_form() -> Generator[None]:
    """Turn what is wrong with the form of an answer into a `FeedError`."""
    try:
        yield
    except InputError as problem:
        raise FeedError(
            f"the register answers in a form that this release does not know ({problem}); nothing "
            "was added: report it"
        ) from problem


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


def is_titled(title: str, name: str) -> bool:
    """Whether a law is the one that is named, in full or short: 中华人民共和国刑法, 刑法.

    >>> is_titled("中华人民共和国宪法（2018年修正文本）", "宪法")
    True
    """
    return _bare(title) == _bare(name)


def _bare(title: str) -> str:
    return short_title(plain_title(split_edition(title)[0]))
