"""A policy that follows R1's protocol without a model: by rule, from the conversation alone.

It sees the conversation and nothing else (no corpus, no index), so it is a fair partner for models
in evaluation and a fair first policy for training. It reads the question by the rules of
`inforce.retrieval.analysis`, plans, looks up what the question names or searches for its terms
under the law of its time, and answers from what the statute tools return: an article recited,
options chosen by the rules of `inforce.agents.r1.multiple_choice`, or the provisions quoted. Where
none of this decides, it says that it cannot answer, and why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from inforce.agents.r1.glossary import in_chinese
from inforce.agents.r1.multiple_choice import Question, choose, read_options
from inforce.agents.r1.protocol import read_round
from inforce.agents.runtime.prompts import read_given_facts
from inforce.dates import DateRange, scan_dates
from inforce.llm.chat import Message
from inforce.retrieval.analysis import QueryAnalysis, RuleAnalyser
from inforce.retrieval.tokens import is_term, tokenize
from inforce.tools.statute_answers import says_not_applicable
from inforce.tools.statute_text import Wording, read_wordings, show_days
from inforce.tools.tool import Language

MOST_QUOTED = 3
"""Provisions quoted in an answer."""

LEAST_SUPPORT = 0.2
"""Share of the question's terms a provision must contain to be quoted: as in `answering`."""

_MOST_QUERIES = 8
_TERMS_A_QUERY = 6
_NEARLY_AS_GOOD = 0.6

_TODAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TOOL = re.compile(r'^\{"name": "(\w+)"', re.MULTILINE)
_RECITE = re.compile(
    r"背诵|默写|复述|条文|原文|全文|完整|内容|recite|full text|verbatim|the text of",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"例如“[^”]*”(?:或者“[^”]*”)*")
"""Examples in an instruction are no part of the question."""

_RESPONSE = re.compile(
    r"<tool_response>\n(?:工具|tool) (?P<tool>\w+) · [^\n]*\n(?P<text>.*?)\n</tool_response>",
    re.DOTALL,
)
_STATUTE_TOOLS = ("rag_retrieve", "law_at")
"""Only texts of these tools are read as law."""

_HAN = re.compile(r"[\u4e00-\u9fff]")

_TEXTS: dict[Language, dict[str, str]] = {
    "zh": {
        "think_plan": "先看问题问的是什么、事实发生在什么时间（{days}），再决定查什么。",
        "plan": "1. 用 {tool} 查询{topic}；2. 只采用{days}有效的文本；3. 依据查到的原文作答。",
        "think_call": "按计划查询{topic}。",
        "think_again": "上一轮没有得到可用的条文，换成更短的查询。",
        "think_answer": "依据查到的当时有效的原文作答。",
        "think_rule": "{source}规定：“{sentence}”，据此选 {letters}（{rule}）。",
        "named": "题目写明的条文",
        "terms": "题目中的法律用语",
        "today": "现行",
        "quoted": "《{law}》{article}（文本时间：{days}）：\n{text}",
        "applies": "适用：{applies}。",
        "after": "《{law}》{article}{after}。",
        "undecided": "无法回答：检索到的条文不足以在选项之间作出判断。",
        "nothing": "无法回答：没有检索到可以引用的条文。{why}",
        "unrelated": "无法回答：检索到的条文没有说到题目所问的内容。",
        "no_tool": "无法回答：没有可以查询法律条文的工具。",
        "precedence": "效力顺序",
        "last in time": "以最后的为准",
    },
    "en": {
        "think_plan": "First what is asked, and when the facts took place ({days}); then search.",
        "plan": "1. {tool}: {topic}. 2. Use only text in force {days}. 3. Answer from that text.",
        "think_call": "As planned, look up {topic}.",
        "think_again": "Nothing usable was found; try shorter queries.",
        "think_answer": "Answer from the text in force then.",
        "think_rule": "{source}: “{sentence}”; hence {letters} ({rule}).",
        "named": "the provision named",
        "terms": "the legal terms of the question",
        "today": "today",
        "quoted": "《{law}》{article} (the text of {days}):\n{text}",
        "applies": "Applies: {applies}.",
        "after": "《{law}》{article} since: {after}.",
        "undecided": "Cannot answer: the provisions found do not decide between the options.",
        "nothing": "Cannot answer: no provision was found that could be quoted. {why}",
        "unrelated": "Cannot answer: the provisions found do not speak to the question.",
        "no_tool": "Cannot answer: there is no tool that looks up provisions.",
        "precedence": "order of precedence",
        "last in time": "the last prevails",
    },
}


def policy(messages: Sequence[Message]) -> str:
    """The next round, given the conversation so far; the same for the same conversation."""
    return _Case.read(messages).next_round()


@dataclass(frozen=True, slots=True)
class _Case:
    """The conversation as the policy reads it."""

    question: str
    tools: frozenset[str]
    today: date
    rounds: int
    """Rounds the policy has taken."""
    calls: int
    """Of these, rounds with a tool call."""
    responses: tuple[str, ...]
    """The answers of the statute tools, in order."""
    analysis: QueryAnalysis
    options: Question | None
    language: Language
    given: DateRange | None
    """The days of the facts as the instructions give them; they win over the question's."""

    @classmethod
    def read(cls, messages: Sequence[Message]) -> _Case:
        system = "\n".join(one.content for one in messages if one.role == "system")
        said = [one.content for one in messages if one.role == "user"]
        done = [read_round(one.content) for one in messages if one.role == "assistant"]
        question = _EXAMPLE.sub("", said[0]) if said else ""
        stated = _TODAY.search(system)
        today = date.fromisoformat(stated[0]) if stated else date.max  # then the newest law
        return cls(
            question,
            frozenset(_TOOL.findall(system)),
            today,
            len(done),
            sum(bool(one.calls) for one in done),
            tuple(
                match["text"]
                for one in said[1:]
                for match in _RESPONSE.finditer(one)
                if match["tool"] in _STATUTE_TOOLS
            ),
            RuleAnalyser(clock=lambda: today)(in_chinese(question)),
            read_options(in_chinese(question)),
            "zh" if _HAN.search(system.partition("\n\n")[0] or question) else "en",
            read_given_facts(system),
        )

    def next_round(self) -> str:
        if self.rounds == 0:
            return self._planned()
        searches = self._searches()
        read = (one for response in self.responses for one in read_wordings(response))
        unique = {one.id: one for one in read}.values()
        wordings = [one for one in unique if self._may_apply(one)]
        if self.calls and wordings:
            return self._answered(wordings)
        if self.calls < len(searches):
            return self._called(searches[self.calls])
        if not searches:
            return _answer(self._say("think_answer"), self._say("no_tool"))
        why = " ".join(self.responses[-1].split()) if self.responses else ""
        return _answer(self._say("think_answer"), self._say("nothing", why=why).strip())

    # --- searches ---------------------------------------------------------------------------

    def _searches(self) -> list[list[dict[str, Any]]]:
        """Calls of the first round, and of the second if the first finds nothing."""
        if "law_at" in self.tools and self._articles():
            return [[_call("law_at", **one) for one in self._articles()[:_MOST_QUERIES]]]
        if "rag_retrieve" not in self.tools:
            return []
        asked = [queries for queries in self._queries() if queries] or [[self.question]]
        return [[_call("rag_retrieve", query=queries)] for queries in asked]

    def _articles(self) -> list[dict[str, str]]:
        """The provisions the question or its options name, with the time to look them up under."""
        times = [time.replace("至", "..") for time in self._times] or ["today"]
        named = [(one.work, one.number.chinese) for one in self.analysis.provisions if one.work]
        return [
            {"law": work, "article": number, "date": when}
            for work, number in named
            for when in times
        ]

    def _queries(self) -> list[list[str]]:
        terms = _searchable(self.analysis.keywords)
        if self._articles():
            first = [
                f"{one.work}{one.number.chinese}" for one in self.analysis.provisions if one.work
            ]
        elif self.options:
            stem = self._terms(self.options.stem)
            mains = [self._terms(option) for option in self.options.options.values()]
            first = [" ".join(stem), *(" ".join(dict.fromkeys((*one, *stem[:2]))) for one in mains)]
        else:
            first = [" ".join(terms[:_TERMS_A_QUERY]), " ".join(terms[:2])]
        searches = [self._dated(first), self._dated(terms)]
        return searches[:1] if searches[1] == searches[0] else searches

    def _terms(self, text: str) -> list[str]:
        """The words of a part of the question, those of the law's own vocabulary first."""
        words = dict.fromkeys(word for word in tokenize(text) if is_term(word) and len(word) > 1)
        known = set(self.analysis.keywords)
        ranked = sorted(words, key=lambda word: word not in known)
        return _searchable(ranked)[:_TERMS_A_QUERY]

    def _dated(self, queries: Iterable[str]) -> list[str]:
        unique = dict.fromkeys(query for query in queries if query.strip())
        times = self._times or ("",)
        most = max(1, _MOST_QUERIES // len(times))
        asked = list(unique)[:most]
        return [f"{time} {query}".strip() for time in times for query in asked][:_MOST_QUERIES]

    @property
    def _times(self) -> tuple[str, ...]:
        """The times to search under as tools read them: of the facts, and of the trial.

        One that no calendar has is left for them to refuse: it must not become today.
        """
        if self._days:
            days = dict.fromkeys((*self._days, *self._trial))
            return tuple(f"{one.start}至{one.last or date.max}" for one in days)
        unreadable = scan_dates(self.question, clock=lambda: self.today).unreadable
        return (unreadable[0].text,) if unreadable else ()

    @property
    def _days(self) -> tuple[DateRange, ...]:
        """The times of the facts; none where nothing names one."""
        return (self.given,) if self.given else self.analysis.time_info

    @property
    def _trial(self) -> tuple[DateRange, ...]:
        """The time of the trial, where the question tells it."""
        dates = self.analysis.dates
        return (dates.trial,) if dates and dates.trial and self._days else ()

    # --- replies ----------------------------------------------------------------------------

    def _planned(self) -> str:
        searches = self._searches()
        tool = searches[0][0]["name"] if searches else "-"
        plan = self._say("plan", tool=tool, topic=self._topic, days=self._days_said)
        return (
            f"<think>{self._say('think_plan', days=self._days_said)}</think>\n<plan>{plan}</plan>"
        )

    def _called(self, calls: list[dict[str, Any]]) -> str:
        think = self._say("think_again" if self.calls else "think_call", topic=self._topic)
        written = json.dumps(calls[0] if len(calls) == 1 else calls, ensure_ascii=False)
        return f"<think>{think}</think>\n<tool_call>{written}</tool_call>"

    def _answered(self, wordings: Sequence[Wording]) -> str:
        think = self._say("think_answer")
        if not self.options and self.analysis.provisions and _RECITE.search(self.question):
            # the wording in force for most of the days of the facts; of equals the later
            return _answer(think, max(wordings, key=self._days_shared).text)
        quoted = [self._quoted(one) for one in self._relevant(wordings)]
        if not self.options:
            return _answer(think, "\n".join(quoted) or self._say("unrelated"))
        choice = choose(self.options, wordings)
        if choice is None:
            return _answer(think, "\n".join([self._say("undecided"), *quoted]))
        think = self._say(
            "think_rule",
            source=f"《{choice.wording.law}》{choice.wording.article}",
            sentence=choice.sentence,
            letters=choice.letters,
            rule=self._say(choice.rule),
        )
        return _answer(think, choice.letters)

    def _days_shared(self, one: Wording) -> tuple[int, int]:
        """How many days of the facts a wording was in force, and its first day."""
        shared = [one.window.intersection(days) for days in self._days] or [one.window]
        count = sum(((days.end or date.max) - days.start).days for days in shared if days)
        return count, one.window.start.toordinal()

    def _relevant(self, wordings: Sequence[Wording]) -> list[Wording]:
        """The wordings relevant to the question, best first; all of a provision it names."""
        if self.analysis.provisions:
            return list(wordings[: 2 * MOST_QUOTED])
        scores = [_keyword_share(one, self.analysis.keywords) for one in wordings]
        ranked = sorted(zip(scores, wordings, strict=True), key=lambda pair: -pair[0])
        least = max(LEAST_SUPPORT, _NEARLY_AS_GOOD * max(scores, default=0.0))
        return [one for score, one in ranked if score >= least][:MOST_QUOTED]

    def _quoted(self, one: Wording) -> str:
        days = show_days(one.window, self.language)
        quoted = self._say("quoted", law=one.law, article=one.article, days=days, text=one.text)
        lines = [quoted]
        if one.applies:
            lines.append(self._say("applies", applies=one.applies))
        if one.afterwards:
            lines.append(self._say("after", law=one.law, article=one.article, after=one.afterwards))
        return "\n".join(lines)

    def _may_apply(self, one: Wording) -> bool:
        """Whether a wording may apply, as tools say; else it must be of the time of the facts."""
        if one.applies:
            return not says_not_applicable(one.applies)
        return not self._days or any(one.window.overlaps(days) for days in self._days)

    @property
    def _topic(self) -> str:
        return self._say("named" if self._articles() else "terms")

    @property
    def _days_said(self) -> str:
        shown = [show_days(days, self.language) for days in self._days]
        return "、".join(shown) or self._say("today")

    def _say(self, what: str, **words: str) -> str:
        return _TEXTS[self.language][what].format(**words)


def _searchable(words: Sequence[str]) -> list[str]:
    """Of words in two languages the Chinese ones: the law is written in them."""
    return [word for word in words if _HAN.search(word)] or list(words)


def _call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


def _answer(think: str, answer: str) -> str:
    return f"<think>{think}</think>\n<answer>{answer}</answer>"


def _keyword_share(wording: Wording, keywords: Sequence[str]) -> float:
    """The share of the keywords a provision contains, longer ones weighing more."""
    read = f"{wording.law}{wording.text}"
    total = sum(map(len, keywords))
    return sum(len(word) for word in keywords if word in read) / total if total else 0.0
