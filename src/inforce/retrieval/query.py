"""A question as the channels are asked it: weighted terms, glossary words, a vector."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from inforce.law.places import Place
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.content import asks_foreign_law
from inforce.retrieval.documents import caption_locator, chapter_locator, pointer_term
from inforce.retrieval.glossary import LayGlossary, LayMatch
from inforce.retrieval.tokens import bigrams, english_stems, tokenize
from inforce.retrieval.topics import Rules, chinese_questions, shipped_topics

_FEW_WORDS = 4

_SENTENCE_END = re.compile(r"[。？?！!；;\n]")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is searched for a question."""

    content: str
    """In Chinese, whatever the question is in; names, sums and instructions left out."""
    words: Mapping[str, float]
    """With the root of their counts: in a long story words come back that are not its matter."""
    pairs: Mapping[str, float]
    statutory: Mapping[str, float]
    """Words of the statutes for the lay words found, with the weights of the matches."""
    pointers: Mapping[str, float]
    """Exact terms of the provisions that the lay words point at."""
    rules: tuple[str, ...]
    """Exact terms of the rules that answer questions of this kind (`inforce.retrieval.topics`)."""
    further_rules: tuple[str, ...]
    """Of those that answer where these did not exist yet."""
    pointed_laws: Mapping[str, float]
    """Laws (`short_title`) that the lay words point at."""
    captions: tuple[str, ...]
    """Exact terms of the crime names in the question."""
    headings: tuple[str, ...]
    """Exact terms of the chapters it names."""
    places: tuple[Place, ...]
    sentences: int
    last_sentence: str
    """What is asked in the end, after a story."""
    english: Mapping[str, float]
    """Stems of the words of a question in English, beside what it says in Chinese."""
    describes_a_crime: bool
    is_translated: bool
    is_foreign: bool
    """Asks about the law of another country."""

    @property
    def asked_words(self) -> Mapping[str, float]:
        """Words, pairs and English stems as `inforce.retrieval.asked` counts them."""
        pairs = {f"#{pair}": weight for pair, weight in self.pairs.items()}
        return {**self.words, **pairs, **self.english}

    @property
    def encoded(self) -> str:
        """What the encoder reads: the content, and the stems of a question in English."""
        return " ".join((self.content, *self.english))

    @property
    def size(self) -> int:
        """How many different words there are."""
        return len(self.words)


def search_query(analysis: QueryAnalysis, lay_words: LayGlossary) -> SearchQuery:
    """What is searched for a question that was analysed."""
    matches = lay_words.find(analysis.query) if not analysis.translated else ()
    content = _expanded(_without_denied(analysis.content, matches), matches)
    sentences = [one for one in _SENTENCE_END.split(content) if one.strip(" ，,")]
    rules = usual_rules(analysis)
    return SearchQuery(
        content,
        words=_rooted(tokenize(content)),
        pairs=_rooted(bigrams(content)),
        statutory=_statutory(matches),
        pointers=_pointers(matches),
        rules=tuple(map(pointer_term, rules.foremost)),
        further_rules=tuple(map(pointer_term, rules.others)),
        pointed_laws=_laws(matches),
        captions=tuple(map(caption_locator, analysis.captions)),
        headings=tuple(
            chapter_locator(one)
            for one in analysis.chapter_info
            if one.endswith(("章", "节", "编"))
        ),
        places=analysis.places,
        sentences=len(sentences),
        last_sentence=sentences[-1] if sentences else "",
        english=_rooted(english_stems(analysis.query)) if analysis.translated else {},
        describes_a_crime=bool(analysis.implied_works),
        is_translated=bool(analysis.translated),
        is_foreign=asks_foreign_law(analysis.query),
    )


def _without_denied(content: str, matches: Iterable[LayMatch]) -> str:
    """A question with the statute words for what it denies: one without a will is about none."""
    for match in matches:
        if match.denies:
            content = content.replace(match.said, "，".join(match.entry.statutory))
    return content


def _expanded(content: str, matches: Sequence[LayMatch]) -> str:
    """A question of a few words, with the statute words for them: 醉驾 is in no statute."""
    if len(tokenize(content)) > _FEW_WORDS:
        return content
    lay = (one for one in matches if not any(one.said in words for words in one.entry.statutory))
    statutory = dict.fromkeys(words for match in lay for words in match.entry.statutory)
    return "，".join((content.strip(), *statutory))


def _rooted(terms: Iterable[str]) -> dict[str, float]:
    return {term: math.sqrt(n) for term, n in Counter(terms).items()}


def _statutory(matches: Iterable[LayMatch]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for match in matches:
        for words in match.entry.statutory:
            for word in tokenize(words):
                weights[word] = max(weights.get(word, 0.0), match.weight)
    return weights


def _pointers(matches: Iterable[LayMatch]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for match in matches:
        for pointer in match.entry.pointers:
            term = pointer_term(pointer)
            weights[term] = max(weights.get(term, 0.0), match.weight)
    return weights


def usual_rules(analysis: QueryAnalysis) -> Rules:
    """The rules that topics name for a question; none for one about the law of another country."""
    if asks_foreign_law(analysis.query):
        return Rules((), ())
    if not analysis.translated:
        return _rules_for(analysis.query)
    terms = _rules_for(analysis.content)
    asked = map(_rules_for, chinese_questions(analysis.query))
    foremost = tuple(dict.fromkeys(rule for rules in asked for rule in rules.foremost))
    if not foremost:
        return terms
    both = (*terms.foremost, *terms.others)
    return Rules(foremost, tuple(rule for rule in both if rule not in foremost))


@lru_cache(maxsize=256)  # an answer searches twice, and asks once more
def _rules_for(question: str) -> Rules:
    return shipped_topics().rules_for(question)


def _laws(matches: Iterable[LayMatch]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for match in matches:
        for pointer in match.entry.pointers:
            for law in pointer.laws:
                weights[law] = max(weights.get(law, 0.0), match.weight)
    return weights
