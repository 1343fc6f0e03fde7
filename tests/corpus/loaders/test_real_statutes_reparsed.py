"""Real statutes, printed as official texts and parsed again, come back as they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from law_files import texts_of

from inforce.corpus.loaders import load
from inforce.corpus.loaders.single_law import parse_text
from inforce.errors import InputError
from inforce.law.model import Source, VersionText


def printed(text: VersionText) -> str:
    """The law as a register prints it: title, adoption, headings, articles after a wide space."""
    lines = [text.version.work, "（2000年1月1日第九届全国人民代表大会常务委员会通过）"]
    above: list[str] = []
    for provision in text.provisions:
        path = provision.path.split(" / ") if provision.path else []
        same = next((i for i, (a, b) in enumerate(zip(path, above, strict=False)) if a != b), None)
        lines += path[min(len(path), len(above)) if same is None else same :]
        above = path
        lines.append(f"　　{provision.number}　{provision.text}")
    return "\n".join(lines)


def verdict(text: VersionText) -> str:
    """How the law came back: the same, with lines dropped from ends of articles, or otherwise."""
    try:
        parsed = parse_text(printed(text).encode(), path="law.txt", source=Source("test"))
    except InputError:
        return "refused"
    before, after = texts_of(text), texts_of(parsed)
    if before == after:
        return "same"
    shortened = all(before[number].startswith(after.get(number, "?")) for number in before)
    return "shortened" if shortened and list(before) == list(after) else "different"


def with_articles(path: Path) -> Iterator[VersionText]:
    for text in load(path, on_problem=lambda problem: pytest.fail(str(problem))):
        if all(provision.number.kind == "article" for provision in text.provisions):
            yield text


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # "Shortened" lose annexes, and headings (二、管辖) that the data leave at the end of the
        # article before them. The law refused has a line break before a citation (第五十二条 …) in
        # its data; the different one has a zero-width space inside a stray line.
        pytest.param(
            "versions.jsonl.gz",
            {"same": 804, "shortened": 31, "refused": 1},
            marks=pytest.mark.slow,
        ),
        ("laws_current.jsonl.gz", {"same": 1_003, "shortened": 34, "different": 1}),
    ],
)
def test_statutes_printed_and_parsed_again_are_the_same(
    shared_data: Path, name: str, expected: dict[str, int]
) -> None:
    path = shared_data / "statutes" / name
    assert Counter(map(verdict, with_articles(path))) == expected
