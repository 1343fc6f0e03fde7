"""The answer that needs no model: the provisions that governed, why, and what changed since.

It quotes and explains; it draws no conclusion of its own, and says so. It abstains where nothing
in the corpus speaks to the question, and keeps "not in force then", "not found" and "not covered"
apart. Where the law a question needs is not held, that is said, and nothing is quoted in its place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace

from inforce.answering.answer import Absence, Answer, Quotation
from inforce.answering.draft import Draft, Question
from inforce.answering.limitation import asked_limitation
from inforce.answering.predecessors import Predecessors, counterpart_then, find_predecessors
from inforce.answering.sanctions import (
    asks_for_sanction,
    sanctioning_law,
    sanctions_of,
    states_sanction,
)
from inforce.answering.selection import (
    LEAST_CHANCE,
    NEARLY_AS_LIKELY,
    Candidate,
    Selection,
    select,
)
from inforce.corpus.links import Links
from inforce.dates import DateRange, read_case_dates
from inforce.law.alignment import similarity
from inforce.law.applicability import Applicability
from inforce.law.former_law import former_rules, predecessors
from inforce.law.penalties.amounts import read_facts
from inforce.law.penalties.thresholds import thresholds_at
from inforce.law.rules import CRIMINAL_LAW, ON_EARLIER_FACTS, Reference
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.lawbook import LawBook
from inforce.retrieval.glossary import shipped_english
from inforce.retrieval.statutes import Hit

_AS_LIKELY = 0.9
"""Where the law that most likely answers was not in force then, or is not known for then, only what
is about as likely is quoted: the rest would be quoted in its place."""

_VERY_LIKELY = 0.4
"""Chance from which law of the time is quoted beside the name of a law that is not held."""

_SURE = 0.7
"""The same where none is held of the laws that answer such questions: in a small corpus something
is always likely."""

_SAME_MATTER = 0.4
"""Similarity from which two provisions are taken for the same rule, before and after."""

_RELATED = 0.25
"""The same of a provision that is likely to answer by itself."""


def answer(
    book: LawBook,
    question: str,
    *,
    facts: DateRange | None = None,
    trial: DateRange | None = None,
) -> Answer:
    """Answer a question from the law book.

    A provision that speaks to the question but was not in force then is an absence: that the law of
    today did not apply is part of the answer. So is the silence of the wording that governed, where
    a later one makes its provision the most relevant (刑法 74 on ringleaders before 2011-05-01); of
    less relevant provisions only wordings that speak to the question themselves are quoted.

    Args:
        book: where the law is.
        question: what is asked.
        facts: the days of the facts; they win over dates in the question.
        trial: the day of the trial; it wins too.

    Raises:
        DateError: if the only date in the question cannot be read, or the trial comes before the
            facts.
    """
    selected = select(book, question, facts=facts)
    dates = read_case_dates(question, clock=book.clock, as_of=facts, trial=trial)
    if dates.origin == "today" and selected.time.origin == "question":  # a model read them
        dates = replace(dates, facts=selected.time.during, origin="question")
    provisions = selected.analysis.provisions
    stated = read_facts(_with_chinese_terms(question, selected))
    asked = Question(selected.analysis.query, book, dates, stated, provisions)
    draft = Draft(asked, not_held=selected.missed)
    if selected.most is not None:
        draft = _with_limitation(draft)
    draft = _with_candidates(draft, selected)
    draft = _with_thresholds(draft)
    if draft.absences and not (draft.quotations or draft.not_held or draft.limitation):
        draft = _with_similar_law(draft, selected)
    quotations = (
        quotation
        for quotation in draft.quotations
        if not _is_displaced(quotation, draft.quotations)
    )
    coverage = selected.coverage
    not_held = tuple(dict.fromkeys((*coverage.not_held, *draft.not_held)))
    return Answer(
        question,
        selected.analysis,
        replace(selected.time, dates=dates),
        tuple(quotations),
        draft.absences[: selected.most],
        replace(coverage, not_held=not_held),
        draft.limitation,
    )


def _with_chinese_terms(question: str, selected: Selection) -> str:
    """A question with the Chinese terms for those it names in English: statutes are in Chinese."""
    if not selected.analysis.translated:
        return question
    return "，".join((question, *(terms[0] for terms in shipped_english().translate(question))))


def _with_limitation(draft: Draft) -> Draft:
    """Quote what states the period of limitation, where the question asks about one."""
    question = draft.question
    limitation = asked_limitation(question.book, question.dates, question.facts)
    draft = replace(draft, limitation=limitation)
    for cited in limitation.cited if limitation else ():
        draft = draft.with_wording_on(cited.provision, DateRange.day(cited.on))
    return draft


def _with_candidates(draft: Draft, selected: Selection) -> Draft:
    """Quote the candidates, the foremost first, until enough are quoted or none is likely enough.

    Where the law on the limitation asked about is not held, nothing else is quoted in its place.
    """
    incomplete = selected.most is not None and (draft.not_held or draft.absences)
    least = math.inf if incomplete else 0.0
    foremost = True
    for candidate in selected.candidates:
        if candidate.chance < least and not _answers_beside(draft, selected, candidate):
            break
        found = _with_candidate(draft, candidate)
        if draft.limitation and found.quotations == draft.quotations:
            continue  # that a rule on the matter was not in force is no answer on the period
        draft = found
        if asks_for_sanction(draft.question.text) and not any(map(_punishes, draft.quotations)):
            draft = _with_sanction(draft, candidate.chance)
        if foremost and (draft.quotations or draft.absences):
            least = max(least, candidate.chance * _share_wanted(draft, selected))
            foremost = False
        if sum(not quotation.is_authority for quotation in draft.quotations) == selected.most:
            break
    return draft


def _answers_beside(draft: Draft, selected: Selection, candidate: Candidate) -> bool:
    """Whether law of the time very likely answers, though a law that might is not held."""
    found = candidate.found
    return bool(
        draft.not_held
        and draft.limitation is None
        and found is not None
        and candidate.chance >= (_SURE if selected.missed else _VERY_LIKELY)
        and all(found.window.overlaps(days) for days in draft.question.dates.facts)
    )


def _share_wanted(draft: Draft, selected: Selection) -> float:
    """How likely others must be beside the foremost: more, where its law is not known."""
    if selected.most is None:
        return 0.0
    if draft.quotations or not draft.absences:
        return NEARLY_AS_LIKELY
    return math.inf if draft.not_held else _AS_LIKELY


def _with_candidate(draft: Draft, candidate: Candidate) -> Draft:
    """Quote a candidate, or what had its rule on the days of the case."""
    question, timeline, found = draft.question, candidate.timeline, candidate.found
    ruled = question.governing_law(timeline)
    if found is None or (ruled.authority and ruled.governs):
        return draft.with_provision(timeline, candidate.chance, ruled)
    day = (ruled.governing or question.relevant_days(timeline)[0]).start
    then = counterpart_then(question.book, timeline, found, day)
    if then is None:
        reason = "the law was renumbered since, and its text of then has no such rule"
        days = DateRange.day(day)
        lookup = Lookup("not_in_force", timeline.work, timeline.number, days, (), reason)
        later = next((s for s in timeline.spans if s.provision and s.window.start > day), None)
        return replace(draft, absences=(*draft.absences, Absence(lookup, later, ruled)))
    if then is not timeline:
        timeline, ruled = then, question.governing_law(then)
    if not ruled.wordings and not ruled.authority:
        return _with_predecessors(draft, timeline, found, ruled, candidate.chance)
    return draft.with_provision(timeline, candidate.chance, ruled)


def _with_predecessors(
    draft: Draft, timeline: Timeline, found: Span, ruled: Applicability, chance: float
) -> Draft:
    """Quote what governed in the place of a rule that was not there yet.

    A rule that had ended before the facts is no part of the answer; nor is the later form of one
    that is quoted already, which is shown beside it as the law of today. Whether something was a
    crime is not answered by law of another branch.
    """
    question = draft.question
    day = question.relevant_days(timeline)[0].start
    former = Predecessors()
    if ruled.span is not None and ruled.span.state == "absent":
        if found.window.end is not None and found.window.end <= day:
            return draft
        former = find_predecessors(question.book, timeline, found, day)
    if timeline.work == CRIMINAL_LAW == sanctioning_law(question.text):
        crimes = (one for one in former.timelines if one.work == CRIMINAL_LAW)
        former = replace(former, timelines=tuple(crimes))
    if former.timelines and all(map(draft.quotes, former.timelines)):
        return draft
    draft = draft.with_absence(timeline, ruled)
    draft = replace(draft, not_held=(*draft.not_held, *former.not_held))
    for predecessor in former.timelines:
        draft = draft.with_provision(predecessor, chance)
    return draft


def _punishes(quoted: Quotation) -> bool:
    return any(map(states_sanction, filter(None, (one.provision for one in quoted.wordings))))


def _with_sanction(draft: Draft, chance: float) -> Draft:
    """Quote what states the sanction of the provision quoted last, which states none itself."""
    quoted = draft.quotations[-1] if draft.quotations else None
    wording = quoted.wordings[0] if quoted else None
    if quoted is None or wording is None or wording.provision is None or quoted.is_authority:
        return draft
    book = draft.question.book
    governing = quoted.applicability.governing or wording.window
    law = book.text_on(quoted.work, max(governing.start, wording.window.start))
    for number in sanctions_of(wording.provision, law):
        draft = draft.with_provision(book.corpus.timeline(quoted.work, number), chance)
    return draft


_SOURCE = re.compile("(?P<document>.+) arts?\\. (?P<first>[0-9]+)(?:-(?P<last>[0-9]+))?")
_ASKS_FOR_TIER = re.compile(
    "档次|哪一?个?(?:量刑|法定刑)?档|数额(?:较大|巨大|特别巨大)[^，。？]{0,4}(?:吗|么|嘛|还是|[？?])|(?i:\\btiers?\\b)"
)


def _with_thresholds(draft: Draft) -> Draft:
    """Quote what says which sum is how large, where the tier of an offence is asked about."""
    question = draft.question
    if not _ASKS_FOR_TIER.search(question.text) or question.facts.money is None:
        return draft
    offence = next((one for one in draft.quotations if one.work == CRIMINAL_LAW), None)
    if offence is None or (governing := offence.applicability.governing) is None:
        return draft
    judged = (question.dates.trial or governing).start  # interpretations reach what is pending
    found = thresholds_at(
        offence.number.main, judged, facts=question.text, unit=question.facts.unit
    )
    reached = [one for one in found if one.low <= question.facts.money.low] or found[:1]
    source = _SOURCE.fullmatch(reached[-1].source) if reached else None
    if source is None:
        return draft
    articles = range(int(source["first"]), int(source["last"] or source["first"]) + 1)
    each = len(articles) == len(found)  # an article a tier: 法释〔2016〕9号 arts. 1-3
    article = articles[len(reached) - 1] if each else articles[0]
    timeline = question.timeline(Reference.parse(source["document"], f"{article}"))
    ruled = question.governing_law(timeline) if timeline else None
    if timeline is None or ruled is None or not ruled.wordings:
        return draft
    return draft.with_provision(timeline, 1.0, ruled)


def _with_similar_law(draft: Draft, selected: Selection) -> Draft:
    """Quote law of the time that said what the likeliest provision, not in force yet, now says.

    What answers best of all law of the time need not share its words where its law gave way to
    that of the provision (契税税率为3—5%, and 百分之三至百分之五). Where it is recorded what stated
    the rule before, those laws had no other form of it.

    Of crimes likeness says nothing: their articles share the words of penalties, and what punished
    the conduct before is recorded (`inforce.law.penalties.offences`).
    """
    foremost, lookup = selected.candidates[0], draft.absences[0].lookup
    timeline, found = foremost.timeline, foremost.found
    is_absent = (timeline.work, timeline.number) == (lookup.work, lookup.number)
    if found is None or found.text is None or not is_absent or lookup.answer != "not_in_force":
        return draft
    if timeline.work == CRIMINAL_LAW:
        return draft
    similar: list[tuple[float, Hit]] = []
    recorded = former_rules(timeline.work, timeline.number) is not None
    former = predecessors(timeline.work, timeline.number, lookup.as_of.start)
    for place, hit in enumerate(selected.then):
        if hit.provision.work in former and recorded:
            continue
        if place == 0 and hit.provision.work in former and hit.score >= LEAST_CHANCE:
            similar = [(1.0, hit)]
            break
        if hit.provision.work != timeline.work:
            likely = hit.score >= foremost.chance * NEARLY_AS_LIKELY
            score = similarity(found.text, hit.provision.text)
            if score >= (_RELATED if likely else _SAME_MATTER):
                similar.append((score, hit))
    for _, hit in sorted(similar, key=lambda pair: -pair[0])[: selected.most]:
        then = draft.question.book.corpus.timeline(hit.provision.work, hit.provision.number)
        draft = draft.with_provision(then, hit.score)
    return draft


def _is_displaced(former: Quotation, quotations: Iterable[Quotation]) -> bool:
    """Whether a later law that is quoted takes the place of what a former one says."""
    wording = former.wordings[0]
    if former.named or former.is_authority or wording.text is None:
        return False
    day = wording.window.start
    for quotation in quotations:
        later = quotation.wordings[0]
        if _became_history(former, quotation):
            return True
        if quotation is former or not quotation.applicability.authority or later.text is None:
            continue
        if former.work in predecessors(quotation.work, quotation.number, day):
            return True
        same_law = former.work == quotation.work and day < later.window.start
        if same_law and similarity(wording.text, later.text) >= _SAME_MATTER:
            return True
    return False


def _became_history(former: Quotation, quotation: Quotation) -> bool:
    """Whether a provision says what becomes of facts under a former wording of its law.

    公司法 art. 266 governs the capital of older companies, not the former art. 26.
    """
    speaks = quotation.applicability.rule == ON_EARLIER_FACTS
    return speaks and former.work in quotation.work and former.wordings[-1].window.end is not None


def links_of(book: LawBook, answer: Answer) -> list[Links | None]:
    """What cites each provision quoted, on the days asked about."""
    return [
        book.links(
            quotation.work,
            quotation.number,
            quotation.wordings[0].window,
            during=answer.time.during,
        )
        if quotation.wordings
        else None
        for quotation in answer.quotations
    ]
