"""Questions in people's own words, written for the rules that answer them.

The public collections (`questions`) ask about a tenth of what people ask about; these tables
(``written/*.tsv``, whose README.md says how they are written) name a rule by its words, as the
topics of statute search do, and below it questions that it answers, Chinese or English. They were
written from the statutes alone: no item of an evaluation was seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from inforce.errors import InputError
from inforce.retrieval.glossary import Pointer, read_pointers, short_title
from inforce.retrieval.known_questions import fingerprint
from inforce.retrieval.provisions import ProvisionText
from search_training.questions import KnownQuestion

TABLES = sorted((Path(__file__).parent / "written").glob("*.tsv"))


def written_questions(provisions: Sequence[ProvisionText]) -> list[KnownQuestion]:
    """The questions of this release whose rules are held, in the order of the tables."""
    return questions_on(provisions, (found for table in TABLES for found in read_written(table)))


def questions_on(
    provisions: Iterable[ProvisionText], found: Iterable[tuple[str, tuple[Pointer, ...]]]
) -> list[KnownQuestion]:
    """Questions with the wordings of their rules that are held; those of no rule held are none."""
    wordings = _Wordings(provisions)
    questions = (
        KnownQuestion("written", number, text, wordings.of_rules(rules))
        for number, (text, rules) in enumerate(found)
    )
    return [question for question in questions if question.gold]


def read_written(path: Path) -> Iterator[tuple[str, tuple[Pointer, ...]]]:
    """The questions of one table, each with the rules that answer it.

    A line that begins with a tab is a question; any other names the rules that answer those below.

    Raises:
        InputError: if the file cannot be read, or a question stands before any rule.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    rules: tuple[Pointer, ...] = ()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith("\t"):
            rules = read_pointers(line, path, number)
        elif rules:
            yield line.strip(), rules
        else:
            raise InputError("a question before any rule", path=path, line=number)


class _Wordings:
    """The wordings held, found by a law and words of it."""

    def __init__(self, provisions: Iterable[ProvisionText]) -> None:
        self._of_law: dict[str, dict[str, str]] = defaultdict(dict)
        for one in provisions:
            text = one.text.replace("\n", "")
            self._of_law[short_title(one.work)].setdefault(text, fingerprint(one.text))

    def of_rules(self, rules: Sequence[Pointer]) -> tuple[frozenset[str], ...]:
        """The fingerprints of each rule in all its wordings."""
        named = (self._with_words(rule) for rule in rules)
        return tuple(dict.fromkeys(wordings for wordings in named if wordings))

    def _with_words(self, rule: Pointer) -> frozenset[str]:
        return frozenset(
            name
            for law in rule.laws
            for text, name in self._of_law.get(law, {}).items()
            if rule.words in text
        )
