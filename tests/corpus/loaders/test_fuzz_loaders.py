"""Ten thousand damaged files for every loader: an `InputError` or a law, and never a long wait."""

from __future__ import annotations

import gzip
import io
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

import pytest
from law_files import (
    TINY_LAW,
    TINY_MARKDOWN,
    article,
    jsonl,
    part_of,
    record,
)

from document_files import paragraph, repacked, run, word_xml
from fuzzing import INPUTS
from inforce.corpus.loaders.jsonl import parse_jsonl
from inforce.corpus.loaders.law_chunks import parse_law_chunks
from inforce.corpus.loaders.loading import sniff_bytes
from inforce.corpus.loaders.single_law import parse_lawrefbook, parse_text
from inforce.documents.limits import DocumentLimits
from inforce.documents.worker import Job, parse
from inforce.errors import InputError
from inforce.law.model import Source

SECONDS_EACH = 1.0
SOURCE = Source("fuzz")

NESTED = """\
{"title": "示例法(2011修正)", "valid_from": "2021.01.01", "valid_to": "2099.12.31", "parts": [
{"name": "第一编", "chapters": [{"name": "第一章", "sections": [{"name": "未分节部分", "articles": [
{"index": "第一条", "title": null, "text": "第一条 甲。 乙。"}]}]}]}]}
"""
FLAT = '{"law": "示例法", "t_from": "2011-05-01", "t_to": null, "no": "第一条", "content": "甲。"}'

TOKENS = [
    *("第一条　", "第零条", "第九千九百九十九条之九 ", "第二章 ", "目录", "附件", "一、"),
    *("（", "）", "【", "】", "。", "：", "之", "条", "\n", "\r", "\t", "　", "\u2028", "\0"),
    *("2020年2月30日", "自2021年1月1日起施行", "本法自", "9" * 50, "# ", "<!-- INFO END -->"),
    *('"', "{", "}", "[", "]", ":", ",", "null", "-1", "1e999", "NaN", "\\ud800", "\\u0000", "\\"),
    *("<w:p>", "</w:p>", "<w:t>", "&amp;", "&x;", "<!DOCTYPE x>"),
]

T = TypeVar("T")


def mutations(seeds: list[bytes], *, seed: int, count: int = INPUTS) -> Iterator[bytes]:
    """Damaged copies of the seeds, and now and then plain noise; the same ones every time.

    Half are damaged byte by byte, half character by character, which gets past the decoding.
    """
    chance = random.Random(seed)
    letters = [chr(code) for code in (*range(32, 127), *range(0x4E00, 0x4E40))]
    for _ in range(count):
        data = chance.choice(seeds)
        if chance.random() < 0.02:
            yield chance.randbytes(chance.randrange(300))
        elif chance.random() < 0.5 and (text := as_text(data)) is not None:
            yield "".join(damaged(list(text), chance, TOKENS, letters)).encode()
        else:
            tokens = [token.encode() for token in TOKENS]
            yield bytes(damaged(list(data), chance, tokens, range(256)))


def as_text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def damaged(
    data: list[T], chance: random.Random, tokens: Sequence[Iterable[T]], units: Sequence[T]
) -> list[T]:
    """Change, drop, repeat, copy, insert or cut off something, once or several times."""
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at, other = chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)
        length = chance.choice((1, 3, 20, 200))
        match chance.randrange(12):
            case 0 | 1:
                data[at : at + 1] = [chance.choice(units)]
            case 2 | 3:
                del data[at : at + length]
            case 4 | 5:
                data[at:at] = data[at : at + length] * chance.choice((1, 2, 50))
            case 6 | 7 | 8:
                data[at:at] = chance.choice(tokens)
            case 9:
                del data[at:]
            case _:
                data[at:at] = data[other : other + length]
    return data


def read_jsonl(data: bytes) -> None:
    problems: list[InputError] = []
    list(parse_jsonl(io.BytesIO(data), path="f", on_problem=problems.append))


def read_chunks(data: bytes) -> None:
    problems: list[InputError] = []
    list(parse_law_chunks(data, path="f", source=SOURCE, on_problem=problems.append))


def read_markdown(data: bytes) -> None:
    parse_lawrefbook(data, path="示例法(2020-05-28).md", source=SOURCE)


def read_text(data: bytes) -> None:
    parse_text(data, path="f", source=SOURCE)


def sniff(data: bytes) -> None:
    sniff_bytes(data, path="f")


def read_word(data: bytes) -> None:
    """As the killable process reads it, but here, so that its time is seen."""
    parse(Job("docx", "f", len(data), DocumentLimits()), data)


def read_document(data: bytes) -> None:
    read_word(repacked(BARE_WORDS, part="word/document.xml", content=data))


LINES = jsonl(record("甲法"), record("乙法", articles=[article("第一条"), article("第三条之一")]))
ALL_TEXTS = [TINY_LAW.encode(), TINY_LAW.encode("gb18030"), TINY_LAW.encode("utf-16")]
BARE_WORDS = word_xml("".join(paragraph(run(line)) for line in TINY_LAW.split("\n")))
DOCUMENT = part_of(BARE_WORDS)
CHUNKS = [NESTED.encode(), f"[{FLAT},\n{FLAT}]".encode(), f"{FLAT}\n{FLAT}".encode()]


def slowest_of(read: Callable[[bytes], None], inputs: Iterator[bytes]) -> float:
    """Feed every input; the most processor time one of them took, in seconds."""
    slowest = 0.0
    for data in inputs:
        started = time.thread_time()
        with suppress(InputError):
            read(data)
        slowest = max(slowest, time.thread_time() - started)
    return slowest


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("read", "seeds"),
    [
        (read_jsonl, [LINES, gzip.compress(LINES)]),
        (read_chunks, CHUNKS),
        (read_markdown, [TINY_MARKDOWN.encode()]),
        (read_text, ALL_TEXTS),
        (sniff, [LINES, gzip.compress(LINES), TINY_MARKDOWN.encode(), *CHUNKS, *ALL_TEXTS]),
    ],
    ids=["jsonl", "law-chunks", "lawrefbook", "text", "sniff"],
)
def test_damaged_input_is_never_more_than_a_message(
    read: Callable[[bytes], None], seeds: list[bytes]
) -> None:
    assert slowest_of(read, mutations(seeds, seed=20110501)) < SECONDS_EACH


WORD_FILES = pytest.mark.parametrize(
    ("read", "seed"), [(read_word, BARE_WORDS), (read_document, DOCUMENT)], ids=["archive", "part"]
)


@pytest.mark.fuzz
@WORD_FILES
def test_a_damaged_word_file_is_never_more_than_a_message(
    read: Callable[[bytes], None], seed: bytes
) -> None:
    assert slowest_of(read, mutations([seed], seed=20151101)) < SECONDS_EACH


@pytest.mark.parametrize(
    "line",
    [
        "第" * 200_000,
        "第一条　" + "（" * 200_000,
        "【" * 200_000,
        "一、" * 100_000,
        "本" + "自" * 200_000,
        "第一条 " * 50_000,
        "1" * 200_000 + "年",
        "目录\n" + "第一章 甲\n" * 50_000,
        "第一条 甲。\n" + "二、乙\n" * 50_000,
        "　" * 200_000 + "第一条",
        "第一条" + " " * 200_000 + "。",
    ],
)
def test_a_text_made_to_be_slow_is_not(line: str) -> None:
    text = f"示例法\n（2020年1月1日公布）\n{line}\n第二条　乙。".encode()
    assert slowest_of(read_text, iter([text])) < SECONDS_EACH
    assert slowest_of(sniff, iter([text])) < SECONDS_EACH
