"""The search query of a question: weighted terms, glossary words, exact terms."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from inforce.law.regions import Region
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.cleaning import asks_foreign_law
from inforce.retrieval.glossary import LayMatch, shipped_lay_words
from inforce.retrieval.provisions import caption_locator, chapter_locator, pointer_term
from inforce.retrieval.tokens import bigrams, english_stems, tokenize
from inforce.retrieval.topics import Rules, chinese_questions, shipped_topics

_FEW_WORDS = 4

_SENTENCE_END = re.compile(r"[。？?！!；;\n]")
_ASKS = re.compile("[?？吗呢]|什么|怎么|如何|怎样|多少|多久|哪|是否|能否|能不能|谁")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The terms and text to search for a question."""

    content: str
    """In Chinese, whatever the question is in; names, sums and instructions left out."""
    words: Mapping[str, float]
    """With the root of their counts: in a long story words come back that are not its matter."""
    pairs: Mapping[str, float]
    """Pairs of neighbouring characters, weighted in the same way."""
    statutory: Mapping[str, float]
    """Words of the statutes for the lay words found, with the weights of the matches."""
    pointers: Mapping[str, float]
    """Exact terms of the provisions that the lay words point at."""
    primary_rules: tuple[str, ...]
    """Exact terms of the rules that topics name for the question (`inforce.retrieval.topics`)."""
    secondary_rules: tuple[str, ...]
    """Exact terms of those that answer where the primary ones did not exist yet."""
    pointed_laws: Mapping[str, float]
    """Laws (`short_title`) that the lay words point at."""
    captions: tuple[str, ...]
    """Exact terms of the crime names in the question."""
    headings: tuple[str, ...]
    """Exact terms of the chapters it names."""
    places: tuple[Region, ...]
    sentences: int
    last_sentence: str
    """The question at the end, after a story; of a sentence that names an article all of it."""
    english: Mapping[str, float]
    """Stems of the words of a question in English, beside what it says in Chinese."""
    is_translated: bool
    is_foreign: bool
    """Asks about the law of another country."""

    @property
    def question_words(self) -> Mapping[str, float]:
        """Words, pairs and English stems as `inforce.retrieval.known_questions` counts them."""
        pairs = {f"#{pair}": weight for pair, weight in self.pairs.items()}
        return {**self.words, **pairs, **self.english}

    @property
    def encoded(self) -> str:
        """The text for the encoder: the content, and the stems of a question in English."""
        return " ".join((self.content, *self.english))


def search_query(analysis: QueryAnalysis) -> SearchQuery:
    """Return the search query of a question that was analysed."""
    matches = () if analysis.translated else shipped_lay_words().find(analysis.query)
    content = _content(analysis.content, matches)
    sentences = _sentences(content)
    quoted = _sentences(analysis.query) if _is_quoted(analysis) else sentences
    headings = (one for one in analysis.chapter_info if one.endswith(("章", "节", "编")))
    rules = usual_rules(analysis)
    pointers = [(one, match.weight) for match in matches for one in match.entry.pointers]
    return SearchQuery(
        content,
        words=_rooted(tokenize(content)),
        pairs=_rooted(bigrams(content)),
        statutory=_highest(
            (word, match.weight)
            for match in matches
            for words in match.entry.statutory
            for word in tokenize(words)
        ),
        pointers=_highest((pointer_term(one), weight) for one, weight in pointers),
        primary_rules=tuple(map(pointer_term, rules.primary)),
        secondary_rules=tuple(map(pointer_term, rules.secondary)),
        pointed_laws=_highest((law, weight) for one, weight in pointers for law in one.laws),
        captions=tuple(map(caption_locator, analysis.captions)),
        headings=tuple(map(chapter_locator, headings)),
        places=analysis.places,
        sentences=len(sentences),
        last_sentence=quoted[-1] if quoted else "",
        english=_rooted(english_stems(analysis.query)) if analysis.translated else {},
        is_translated=bool(analysis.translated),
        is_foreign=asks_foreign_law(analysis.query),
    )


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE_END.split(text) if one.strip(" ，,")]


def _is_quoted(analysis: QueryAnalysis) -> bool:
    """Whether a text that names a provision may be a sentence of another: it asks nothing."""
    named = any(one.work for one in analysis.provisions)
    return named and not analysis.translated and not _ASKS.search(analysis.query)


def _content(content: str, matches: Sequence[LayMatch]) -> str:
    """Return a question with the statute words for what it denies, or for all of it if it is short.

    A question without a will (没留遗嘱) is about none, and 醉驾 is in no statute.
    """
    for match in matches:
        if match.denies:
            content = content.replace(match.said, "，".join(match.entry.statutory))
    if len(tokenize(content)) > _FEW_WORDS:
        return content
    lay = (one for one in matches if not any(one.said in words for words in one.entry.statutory))
    statutory = dict.fromkeys(words for match in lay for words in match.entry.statutory)
    return "，".join((content.strip(), *statutory))


def _rooted(terms: Iterable[str]) -> dict[str, float]:
    """Return the root of the count of each term."""
    return {term: math.sqrt(n) for term, n in Counter(terms).items()}


def _highest(weighted: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the highest weight of each term."""
    weights: dict[str, float] = {}
    for term, weight in weighted:
        weights[term] = max(weights.get(term, 0.0), weight)
    return weights


def usual_rules(analysis: QueryAnalysis) -> Rules:
    """Return the rules that topics name for a question; none for one about foreign law."""
    if asks_foreign_law(analysis.query):
        return Rules((), ())
    if not analysis.translated:
        return _rules_for(analysis.query)
    by_terms = _rules_for(analysis.content)
    by_question = map(_rules_for, chinese_questions(analysis.query))
    primary = tuple(dict.fromkeys(rule for rules in by_question for rule in rules.primary))
    if not primary:
        return by_terms
    others = (*by_terms.primary, *by_terms.secondary)
    return Rules(primary, tuple(rule for rule in others if rule not in primary))


@lru_cache(maxsize=256)  # an answer searches twice, and asks once more
def _rules_for(question: str) -> Rules:
    return shipped_topics().rules_for(question)
