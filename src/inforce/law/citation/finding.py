"""Finding the laws and articles a text cites, in Chinese and in English.

>>> [first] = find_citations("依照《刑法》第六十七条第一款、第三款的规定")
>>> first.work, [portion.chinese for portion in first.portions]
('中华人民共和国刑法', ['第六十七条第一款', '第六十七条第三款'])

Words are found by `inforce.law.citation.tokens`; here they are put together. A law governs the
articles that follow it directly (or precede it by "of the"); 本法 is the law whose text this is,
同法 and 该法 the one cited before, 前款 the paragraph before. What cannot be resolved stays
``None`` or empty: a citation is never guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from inforce.law.citation.tokens import Scanner, Token, document_number, scanner
from inforce.law.citation.units import JOINT, UNITS, Row, is_well_formed, read_row
from inforce.law.ids import Portion
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.portions import paragraphs
from inforce.law.registry import name_key, title_key

CitationKind = Literal["named", "unlisted", "document", "reference", "bare"]
"""How the law was named.

``named``: by a title or name known here. ``unlisted``: by a title in 《》 that nobody here knows.
``document``: by its number (法释〔2013〕8号). ``reference``: by 本法, 同法, 前款 and the like.
``bare``: not at all, so that it is the context's law or the one cited before.
"""


@dataclass(frozen=True, slots=True)
class Citation:
    """One mention of a law, with the articles cited with it."""

    start: int
    end: int
    text: str
    """As written: ``whole[start:end]``."""
    work: str | None
    """The law's official title; for ``unlisted`` the title as written; ``None`` if not known."""
    portions: tuple[Portion, ...]
    """The articles, paragraphs and items, in order; empty for a mere mention."""
    version_hint: str | None
    """The year or revision named with the title, as written: ``1979年``, ``1997年修订``."""
    kind: CitationKind


def find_citations(
    text: str,
    *,
    context_work: str | None = None,
    context_number: ProvisionNumber | None = None,
    titles: Collection[str] = (),
) -> tuple[Citation, ...]:
    """Every law and article a text cites, in order of appearance, without overlap.

    Args:
        text: the text; it need not be well-formed.
        context_work: the law this text belongs to: what 本法 and a bare 第…条 mean.
        context_number: the article this text is, if it is one: what 本条, 前条 and 前款 count from.
        titles: titles known to a corpus, beside those the registry knows.
    """
    return tuple(_Assembler(text, scanner(titles), context_work, context_number).citations())


_LAWS = ("quoted", "document", "name", "english_name", "this_law", "that_law")
_REFERENCES = ("this_article", "that_article", "this_paragraph", "that_paragraph", "previous")

_BOOK = r"(?:总则|分则|通则|物权|合同|人格权|婚姻家庭|继承|侵权责任)编"
_AFTER_LAW = re.compile(
    rf"[\s,，]{{0,2}}(?:中的?|的)?(?:{_BOOK}|第.{{1,4}}[编章节]){{0,3}}\s{{0,2}}"
)
_OF = re.compile(r"\s?,?\s?(?:of|in|under)\s(?:the\s)?(?:(?:19|20)\d\d\s)?", re.IGNORECASE)
_BESIDE = re.compile(r",?\s")
_YEAR_BEFORE = re.compile(
    r"(?:(?<!\d)(?:19|20)\d\d|[一二][〇零九][〇零一二三四五六七八九]{2}|(?<!\d)(?:79|97))"
    r"年?(?:版|修订的?|修正的?|的)?\s?$"
)
_YEAR = r"((?:19|20)\d\d(?:年|-\d\d-\d\d)?(?:第[一二三四]次)?(?:修订|修正|修改|公布|通过)?[版本]?)"
_YEAR_AFTER = re.compile(rf"[（(]{_YEAR}[）)]")
_YEAR_INSIDE = re.compile(rf"[（(]{_YEAR}[）)]$")
_LEGAL_TITLE = re.compile(
    r"(?:法|法典|条例|规定|办法|解释|决定|通则|规则|细则|意见|通知|批复|公约|协定|条约|纪要|章程|修正案)"
    r"(?:[（(].{1,12}[）)])?$"
)
_PRIVATE = re.compile(r"(?:合同|协议书?|约定|章程|纪要|文件|通知|号)[》”）)]?的?$")
"""合同第三条 is an article of a contract, not of the law cited before."""
_ALIAS = re.compile(r"称(?:为)?[“\"「《]?([^“”\"「」《》（）()]+)")
_BRACKET = re.compile(r"[\s]?[（(][^（）()\n]{0,80}[）)]")
"""Behind a title: its document number, its version, what it is called from here on."""
_ABOUT_TITLE = re.compile(rf"(?:以下|下|统)(?:统一)?简?称|号(?=[，,；; ）)])|^[（(]{_YEAR}[，,；;]")
_STATUTE = re.compile(r"(?<!办)(?:法|法典|民法通则|民法总则)(?:[（(][^（）()]{1,12}[）)])?$")
_INTERPRETATION = re.compile(r"^最高.*(?:解释|规定|批复)(?:[（(][^（）()]{1,3}[）)])?$")
_MOST_REMEMBERED = 40
_COUNTS = {"二": 2, "两": 2, "三": 3, "四": 4}


@dataclass(frozen=True, slots=True)
class _Law:
    """A law named in the text, and the offsets of its name."""

    start: int
    end: int
    work: str | None
    kind: CitationKind
    hint: str | None = None


class _Assembler:
    """Assembles the tokens of a text to citations, from left to right.

    It keeps what was cited last, which 同法, 前款 and articles without a law refer to.
    """

    def __init__(
        self,
        text: str,
        words: Scanner,
        context_work: str | None,
        context_number: ProvisionNumber | None,
    ) -> None:
        self.text = text
        self.words = words
        self.tokens = [t for t in words.tokens(text) if t.kind not in UNITS or is_well_formed(t)]
        self.context_work = context_work
        self.context_number = context_number
        self.aliases: dict[str, _Law] = {}
        self.last_work: str | None = None
        self.works: list[str] = []
        """The laws cited so far, the last one last."""
        self.last_cited: Citation | None = None
        """The last citation that had portions."""
        self.done = 0
        """Where the last citation ended."""
        self.at = 0
        """The token to be read next."""

    def citations(self) -> Iterator[Citation]:
        while self.at < len(self.tokens):
            citation = self._read(self.tokens[self.at])
            if citation is not None:
                self._remember(citation)
                yield citation

    def _read(self, token: Token) -> Citation | None:
        self.at += 1
        if token.kind in _LAWS:
            return self._from_law(token)
        if token.kind in _REFERENCES:
            return self._from_reference(token)
        if token.kind in UNITS:
            return self._from_units(token)
        return None

    def _remember(self, citation: Citation) -> None:
        self.done = citation.end
        if citation.kind != "bare":
            self.last_work = citation.work
        if citation.work is not None and self.works[-1:] != [citation.work]:
            self.works = [*self.works[-_MOST_REMEMBERED:], citation.work]
        if citation.portions:
            self.last_cited = citation

    def _row(
        self, after: int, *, gap: re.Pattern[str] = JOINT, base: tuple[Portion, ...] = ()
    ) -> Row:
        """Read the articles that follow position ``after`` closely."""
        row = read_row(self.text, self.tokens, self.at, after=after, gap=gap, base=base)
        self.at = row.following
        return row

    def _citation(self, law: _Law, row: Row) -> Citation:
        end = max(law.end, row.end)
        written = self.text[law.start : end]
        return Citation(law.start, end, written, law.work, row.portions, law.hint, law.kind)

    # A law, and the articles after it

    def _from_law(self, token: Token) -> Citation | None:
        law = self._law(token)
        after = self.at
        row = self._row(law.end, gap=_AFTER_LAW)
        if row.portions and self._next_law(row.end, joined_by=_OF):
            self.at, row = after, Row((), law.end, after)
        if not row.portions and not _is_mention(law, token):
            return None
        return self._citation(law, row)

    def _law(self, token: Token) -> _Law:
        """Read what belongs to a law token: a year before or behind it, （以下简称…）."""
        law = self._named(token)
        if token.kind in ("quoted", "name", "english_name"):
            law = self._with_year(law)
        following = self.tokens[self.at] if self.at < len(self.tokens) else None
        if following and following.kind == "alias" and following.start == law.end and law.work:
            if name := _ALIAS.search(following.text):
                self.aliases[name_key(name[1])] = law
            law = replace(law, end=following.end)
            self.at += 1
        elif token.kind in ("quoted", "name"):
            law = self._with_bracket(law)
        return law

    def _with_bracket(self, law: _Law) -> _Law:
        """A law with what is in brackets behind its title: （法释〔2024〕1号，以下简称《…》）."""
        bracket = _BRACKET.match(self.text, law.end)
        if bracket is None or not _ABOUT_TITLE.search(bracket[0]):
            return law
        if year := re.match(rf"\s?[（(]{_YEAR}[，,；;]", bracket[0]):
            law = replace(law, hint=year[1])
        if law.work and (name := _ALIAS.search(bracket[0])):
            self.aliases[name_key(name[1])] = law
        while self.at < len(self.tokens) and self.tokens[self.at].start < bracket.end():
            self.at += 1
        return replace(law, end=bracket.end())

    def _named(self, token: Token) -> _Law:
        def law(work: str | None, kind: CitationKind) -> _Law:
            return _Law(token.start, token.end, work, kind)

        match token.kind:
            case "quoted":
                return self._quoted(token)
            case "document":
                return law(self.words.work(document_number(token.text)), "document")
            case "this_law":
                return law(self.context_work or self.last_work, "reference")
            case "that_law":
                return law(self._last_of(token.text), "reference")
            case _:
                return law(self.words.work(token.text), "named")

    def _last_of(self, reference: str) -> str | None:
        """The law that 该法, 该解释 or 该规定 means: the last one cited that is of the kind named.

        Behind 《最高人民法院关于适用〈企业破产法〉…的规定》 该法 is no name of that 规定.
        """
        if reference.endswith("法"):
            kind = _STATUTE
        elif reference.endswith("解释"):
            kind = _INTERPRETATION
        else:
            kind = re.compile(rf"{reference[1:]}(?:[（(][^（）()]{{1,6}}[）)])?$")
        of_kind = (work for work in reversed(self.works) if kind.search(work))
        return next(of_kind, self.last_work)

    def _quoted(self, token: Token) -> _Law:
        title = token.text[1:-1].strip()
        if alias := self.aliases.get(name_key(title)):
            return replace(alias, start=token.start, end=token.end)
        hint = None
        work = self.words.work(title)
        if work is None and (year := _YEAR_INSIDE.search(title)):
            hint = year[1]
            work = self.words.work(title[: year.start()])
        if work is None:
            return _Law(token.start, token.end, title or None, "unlisted")
        return _Law(token.start, token.end, work, "named", hint)

    def _with_year(self, law: _Law) -> _Law:
        if before := _YEAR_BEFORE.search(self.text, max(self.done, law.start - 12), law.start):
            law = replace(law, start=before.start(), hint=before[0].strip())
        if behind := _YEAR_AFTER.match(self.text, law.end):
            law = replace(law, end=behind.end(), hint=behind[1])
        return law

    # Articles without a law before them

    def _from_units(self, token: Token) -> Citation | None:
        following, self.at = self.at, self.at - 1
        base: tuple[Portion, ...] = ()
        if token.kind == "paragraph" and self.context_number:
            base = (Portion(self.context_number),)
        row = self._row(token.start, base=base)
        if not row.portions:
            self.at = following
            return None
        if token.kind.startswith("english") and (law := self._law_behind(row.end)):
            return self._citation(replace(law, start=token.start), row)
        private = _PRIVATE.search(self.text, max(0, token.start - 6), token.start)
        work = None if private else self.context_work or self.last_work
        kind: CitationKind = "reference" if base else "bare"
        return self._citation(_Law(token.start, row.end, work, kind), row)

    def _law_behind(self, end: int) -> _Law | None:
        """The law behind English articles, read if it is theirs ("of the …", or beside them)."""
        token = self._next_law(end, joined_by=_OF) or self._next_law(end, joined_by=_BESIDE)
        if token is None:
            return None
        self.at += 1
        return self._law(token)

    def _next_law(self, end: int, *, joined_by: re.Pattern[str]) -> Token | None:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or token.kind not in ("english_name", "name", "quoted"):
            return None
        return token if joined_by.fullmatch(self.text, end, token.start) else None

    # 本条, 同条, 同款, 前条, 前款

    def _from_reference(self, token: Token) -> Citation | None:
        base = self._referred(token)
        row = self._row(token.end, base=base or _SOMEWHERE)
        work = self._work_of(token)
        if work is None and not base:
            return None
        law = _Law(token.start, row.end, work, "reference")
        return self._citation(law, row if base else replace(row, portions=()))

    def _work_of(self, token: Token) -> str | None:
        if self.context_number and token.kind not in ("that_article", "that_paragraph"):
            return self.context_work
        return self.last_cited.work if self.last_cited else self.last_work or self.context_work

    def _referred(self, token: Token) -> tuple[Portion, ...]:
        """The portions a reference word means; none where they cannot be known."""
        here = self._here(token)
        if here is None:
            return ()
        match token.kind:
            case "this_paragraph":
                return (here,) if here.paragraph else ()
            case "that_paragraph":
                return (replace(here, item=None),) if here.paragraph else ()
            case "previous":
                count = _COUNTS.get(token.text[1], 1)
                before = _articles_before if token.text.endswith("条") else _paragraphs_before
                return before(here, count)
            case _:
                return (Portion(here.number),)

    def _here(self, token: Token) -> Portion | None:
        """Where a reference counts from: this text's own article, or what was cited last."""
        if self.context_number and token.kind not in ("that_article", "that_paragraph"):
            return Portion(self.context_number, bisect_right(self._starts, token.start))
        return self.last_cited.portions[-1] if self.last_cited else None

    @cached_property
    def _starts(self) -> list[int]:
        """Where the paragraphs of this text begin."""
        return [paragraph.excerpt.start for paragraph in paragraphs(self.text)]


_SOMEWHERE = (Portion(ProvisionNumber("whole")),)
"""Lets the 款 and 项 behind an unresolved reference be read, and then set aside."""


def _is_mention(law: _Law, token: Token) -> bool:
    """Whether a law cited without an article is a mention: "criminal law" in general is none."""
    if law.work is None:
        return law.kind == "document"
    if law.kind == "unlisted":
        return _LEGAL_TITLE.search(law.work) is not None
    if token.kind == "english_name":
        return token.text[0].isupper() and not {"law", "code"} & set(token.text.split())
    return True


def _articles_before(here: Portion, count: int) -> tuple[Portion, ...]:
    """前条 of 第十条 is 第九条, of 第十条之二 第十条之一 (as far as numbers alone can tell)."""
    number = here.number
    if number.branch:
        previous = ProvisionNumber.article(number.main, number.branch - 1)
        return (Portion(previous),) if count == 1 else ()
    mains = range(number.main - count, number.main)
    return tuple(Portion(ProvisionNumber.article(main)) for main in mains) if mains[0] > 0 else ()


def _paragraphs_before(here: Portion, count: int) -> tuple[Portion, ...]:
    if here.paragraph is None or here.paragraph <= count:
        return ()
    numbers = range(here.paragraph - count, here.paragraph)
    return tuple(Portion(here.number, number) for number in numbers)


# --- what a provision cites

MOST_PORTIONS = 60
"""Articles that one citation adds; a longer range is of a whole chapter, not of its articles."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A law or a part of one that a provision cites."""

    key: str
    """The title as laws call it (`inforce.law.registry.title_key`): what is held is found by it."""
    title: str
    """The official title where it is known, else the title as written."""
    portion: Portion | None
    """The article, paragraph or item; ``None`` where the law is named without one."""
    hint: str = ""
    """The year or revision named with the title, as written."""


def cited_in(work: str, provision: Provision) -> tuple[Cited, ...]:
    """The laws and articles a provision cites, each once, in order.

    A provision's mention of its own law without an article is left out.

    >>> from inforce.law.numerals import ProvisionNumber
    >>> text = "依照本法第二百六十四条、《中华人民共和国民法典》第一百五十三条第一款的规定"
    >>> [(one.title, one.portion.chinese) for one in cited_in(
    ...     "中华人民共和国刑法", Provision(ProvisionNumber.article(265), text)) if one.portion]
    [('中华人民共和国刑法', '第二百六十四条'), ('中华人民共和国民法典', '第一百五十三条第一款')]
    """
    return tuple(dict.fromkeys(_cited(work, provision)))


def _cited(work: str, provision: Provision) -> Iterator[Cited]:
    own = title_key(work)
    for citation in find_citations(
        provision.text, context_work=work, context_number=provision.number
    ):
        if citation.work is None:
            continue
        key, hint = title_key(citation.work), citation.version_hint or ""
        for portion in citation.portions[:MOST_PORTIONS]:
            if key != own or portion.number != provision.number:
                yield Cited(key, citation.work, portion, hint)
        if not citation.portions and key != own:
            yield Cited(key, citation.work, None, hint)
