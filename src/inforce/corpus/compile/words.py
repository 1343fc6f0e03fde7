"""Words of a law replaced, deleted, or put beside others: those a clause means, and no others.

Everything is checked before anything is changed, so that what is refused leaves no trace.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from inforce.corpus.compile import parts
from inforce.corpus.compile.clauses import ARTICLE_NUMBER, Clause, Target
from inforce.corpus.compile.lawtree import (
    Article,
    Heading,
    Node,
    Refusal,
    is_heading,
    item_label,
    parsed_lines,
)
from inforce.corpus.compile.locating import Located, Locator, Outside, Part, articles_of
from inforce.corpus.compile.occurrences import described, meant, occurrences
from inforce.corpus.compile.quotations import Quotation, joined
from inforce.corpus.compile.wording import (
    ENDS,
    find_words,
    same_words,
    with_stop,
    without_closing_marks,
    without_stops,
    without_words,
)
from inforce.errors import IdentifierError
from inforce.law.numerals import ProvisionNumber

_MOST_JOINED = 6
"""How many words added to one part are tried with and without commas."""

# Replacing ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Replacement:
    """What a clause that replaces words did in the parts it names."""

    parts: list[Located] = field(default_factory=list[Located])
    """Those in which all its words were replaced."""
    throughout: list[Article] = field(default_factory=list[Article])
    """The articles that had them, where a law or a chapter is named."""
    ambiguous: list[Article] = field(default_factory=list[Article])
    """The articles that have them several times, though it is not said that all are meant."""
    refusals: list[Refusal] = field(default_factory=list[Refusal])


def pairs(clause: Clause) -> list[tuple[Quotation, Quotation]]:
    """Each of the words with what it becomes: all the same, or one each in order (分别)."""
    words = [joined(group) for target in clause.targets for group in target.words]
    content = [joined(group) for group in clause.content]
    if len(content) == 1:
        return [(each, content[0]) for each in words]
    if len(content) != len(words):
        raise Refusal(f"{len(words)} words become {len(content)}")
    return list(zip(words, content, strict=True))


def as_numbers(
    pairs: Sequence[tuple[Quotation, Quotation]],
) -> list[tuple[ProvisionNumber, ProvisionNumber]]:
    """The articles that old and new words are the numbers of; none if one of them is no number."""
    numbers = [(_as_number(old.text), _as_number(new.text)) for old, new in pairs]
    found = [(old, new) for old, new in numbers if old is not None and new is not None]
    return found if len(found) == len(pairs) else []


def _as_number(text: str) -> ProvisionNumber | None:
    if not ARTICLE_NUMBER.fullmatch(text.strip()):
        return None
    try:
        return ProvisionNumber.parse(text.strip())
    except IdentifierError:
        return None


def replace_all(locator: Locator, clause: Clause, *, has_evidence: bool) -> Replacement:
    """Replace the words of a clause in every part it names.

    Args:
        locator: finds the parts.
        clause: the clause.
        has_evidence: whether words that occur several times may all be replaced for now, because a
            republished text will show whether that was meant.

    Raises:
        Refusal: if it is not certain which words or parts are meant.
    """
    result = Replacement()
    rest = iter(pairs(clause))
    for target in clause.targets:
        own = [next(rest) for _ in target.words]
        _require_all(locator, target, [old for old, _ in own], clause)
        for found in _places(locator, target, plural=clause.plural):
            try:
                for old, new in own:
                    plural = clause.plural
                    if has_evidence and _are_ambiguous(found, old, target, plural=plural):
                        plural = True
                        result.ambiguous += articles_of([found])
                    result.throughout += _replace(locator, found, old, new, target, plural=plural)
            except Refusal as refusal:
                result.refusals.append(refusal)
            else:
                result.parts.append(found)
    return result


def _require_all(
    locator: Locator, target: Target, words: Sequence[Quotation], clause: Clause
) -> None:
    """第二条和第四条中的“甲”、“乙”分别修改为 …: both words have to be in both.

    Raises:
        Refusal: if one of the parts lacks one of the words.
    """
    if not (clause.respective and len(words) > 1 and len(target.references) > 1):
        return
    found = locator.find_all([target])
    if any(
        isinstance(part, Part) and not occurrences(part, each.text)
        for part in found
        for each in words
    ):
        reason = "it is not said which of the words are in which article"
        raise Refusal(reason, *articles_of(found))


def _places(locator: Locator, target: Target, *, plural: bool) -> Sequence[Located]:
    """Where words are looked for: what the target names, or the context, or a heading.

    “甲”统一修改为“乙” without a place is about the whole law.
    """
    context = locator.context
    if target.references and not _is_printed_heading(locator, target):
        found = locator.find_all([target])
        context.whole = all(part.level == "law" for part in found)
        return found
    if not target.words:
        raise Refusal("it is not said which words")
    text = joined(target.words[0]).text
    if len(context.run) > 1 and context.located:
        return _of_the_run(context.run, text, plural=plural)
    if context.located:
        return list(context.located)
    heading = locator.heading_printed(text)
    if heading is not None:
        return [Outside("heading", heading)]
    if plural or context.whole:
        context.whole = True
        return [Outside("law")]
    if is_heading(text) or re.match("[一二三四五六七八九十]+、", text):
        reason = f"the base text does not hold the heading “{text}”"
        raise Refusal(reason, elsewhere=True, unknown_text=True)
    raise Refusal("it is not said in which article the words are")


def _of_the_run(run: Sequence[Located], words: str, *, plural: bool) -> Sequence[Located]:
    """第五条改为第六条，第七条改为第八条，“甲”修改为“乙”: in those that have the words."""
    found = [part for part in run if isinstance(part, Part) and occurrences(part, words)]
    if not found or (len(found) > 1 and not plural):
        reason = "it is not said in which of the articles the words are"
        raise Refusal(reason, *articles_of(run))
    return found


def _is_printed_heading(locator: Locator, target: Target) -> bool:
    """将章名“第三章 甲”修改为“第三章 乙”: which heading is said by its words."""
    levels = [step.level for reference in target.references for step in reference.inner]
    if levels != ["heading name"] or not target.words or locator.context.heading is not None:
        return False
    return locator.heading_printed(joined(target.words[0]).text) is not None


def _are_ambiguous(found: Located, words: Quotation, target: Target, *, plural: bool) -> bool:
    """Whether words occur several times in a part, and the clause does not say which are meant."""
    if plural or target.nth or target.times or target.anchor:
        return False
    if not isinstance(found, Part) or found.level == "crime":
        return False
    return len(occurrences(found, words.text)) > 1


def _replace(
    locator: Locator,
    found: Located,
    old: Quotation,
    new: Quotation,
    target: Target,
    *,
    plural: bool,
) -> list[Article]:
    """Put words in the place of others in one part, or throughout a law or a chapter.

    Returns:
        The articles that had them, where a law or a chapter is named.

    Raises:
        Refusal: if they are not there, or several times and nothing says that all are meant.
    """
    tree = locator.tree
    match found:
        case _ if found.level in ("crime", "annex", "contents"):
            pass
        case Part():
            _replace_in_part(found, old, new, target, plural=plural)
        case Outside(heading=Heading() as heading):
            if not any(same_words(old.text, name) for name in (heading.printed, heading.name)):
                return _replace_under(locator, found, heading, old, new)
            parts.rename_heading(tree, heading, new)
        case Outside(level="law"):
            if target.nth or target.times or target.anchor:
                raise Refusal("which of the words of a whole law are meant is not certain")
            return _replace_throughout(locator, old, new)
        case Outside(level="title"):
            if tree.title.count(old.text) != 1:
                reason = f"the title does not have the words “{old.text}” once"
                raise Refusal(reason, elsewhere=True)
            tree.title = tree.title.replace(old.text, new.text)
        case _:
            reason = "the base text does not hold the introduction"
            raise Refusal(reason, unknown_text=True, elsewhere=True)
    return []


def _replace_throughout(locator: Locator, old: Quotation, new: Quotation) -> list[Article]:
    """Words of a whole law, wherever its old text has them."""
    articles = _replace_in_articles(locator, locator.tree.live, old, new)
    headings = [heading for heading in locator.tree.headings if old.text in heading.name]
    for heading in headings:
        heading.name = heading.name.replace(old.text, new.text)
    if not articles and not headings:
        raise Refusal(f"the words “{old.text}” do not occur in the law")
    return articles


def _replace_under(
    locator: Locator, found: Located, heading: Heading, old: Quotation, new: Quotation
) -> list[Article]:
    """第三章中的“甲”修改为“乙”: in its heading, or wherever its articles have the words.

    Raises:
        Refusal: if both have them, so that it is not certain which is meant, or neither has.
    """
    under = [article for article in locator.tree.live if article.is_under(heading)]
    in_articles = found.level == "heading" and any(
        node.find_old(old.text)
        for article in under
        for node in article.body.within()
        if not node.fresh
    )
    in_heading = heading.name.count(old.text)
    if in_articles and not in_heading:
        return _replace_in_articles(locator, under, old, new)
    if in_heading != 1:
        raise Refusal(f"the heading is “{heading.printed}”", elsewhere=True)
    if in_articles:
        raise Refusal("its heading and its articles have the words", *under)
    heading.name = heading.name.replace(old.text, new.text)
    return []


def _replace_in_articles(
    locator: Locator, articles: Sequence[Article], old: Quotation, new: Quotation
) -> list[Article]:
    """Put words in the place of others wherever the old text of articles has them."""
    excepted = {
        id(node)
        for part in locator.context.excepted
        if isinstance(part, Part)
        for node in part.node.within()
    }
    changed: list[Article] = []
    for article in articles:
        if not article.held or article.number is None:
            continue
        for node in article.body.within():
            spans = node.find_old(old.text)
            if node.fresh or id(node) in excepted or not spans:
                continue
            for span in reversed(spans):
                node.reword(node.text[: span.start] + new.text + node.text[span.end :])
            changed.append(article)
    return changed


def _replace_in_part(
    found: Part, old: Quotation, new: Quotation, target: Target, *, plural: bool
) -> None:
    found.article.require_held()
    old_text, new_text = old.text, new.text
    if found.level == "item":  # both may begin with the number of the item
        (number, old_rest), (same, new_rest) = item_label(old_text), item_label(new_text)
        if number is not None and number == same:
            old_text, new_text = old_rest, new_rest
    occurring = meant(found, old_text, new_text, target, plural=plural)
    if occurring is not None:
        for occurrence in reversed(occurring):
            text = occurrence.node.text
            occurrence.node.reword(
                text[: occurrence.span.start] + new_text + text[occurrence.span.end :]
            )
        return
    text = found.node.full()  # they run over several paragraphs or items
    [span] = find_words(old_text, text)
    between = with_stop(new_text, text[span.start : span.end])
    lines = (text[: span.start] + between + text[span.end :]).split("\n")
    if found.level == "article":
        parts.restate_article(found.article, lines)
    else:
        parts.restate_siblings([found], Quotation(tuple(lines)))


# Deleting ----------------------------------------------------------------------------------------


def delete_words(found: Located, words: Quotation, target: Target, *, plural: bool) -> None:
    """Delete words, and the mark that then separates nothing."""
    if not isinstance(found, Part):
        raise Refusal("words are deleted from something that is no article")
    found.article.require_held()
    occurring = meant(found, words.text, "", target, plural=plural)
    if occurring is None:
        reason = "the words to delete run over several paragraphs or items"
        raise Refusal(reason, found.article)
    for occurrence in reversed(occurring):
        left = without_words(occurrence.node.text, occurrence.span)
        if without_stops(left) or occurrence.node.children:
            occurrence.node.reword(left)
        else:  # all its words are deleted: so is the paragraph or the item
            occurrence.node.deleted = True


# Adding ------------------------------------------------------------------------------------------


def add(found: Located, target: Target, new: Quotation, *, plural: bool) -> list[Node]:
    """Add words beside others, at an edge of a part, or as a paragraph at the end.

    Returns:
        The parts in which they stand beside others.

    Raises:
        Refusal: if it is not certain where.
    """
    if not isinstance(found, Part):
        raise Refusal("words are added to something that is no article")
    article, place = found.article, target.place
    article.require_held()
    words = [joined(group) for group in target.words]
    if words and place in ("after", "before"):
        return [
            node for each in words for node in add_beside(found, each, new, target, plural=plural)
        ]
    if len(words) == 2 and place == "between":
        _add_between(found, words[0], words[1], new)
    elif words:
        raise Refusal("it is not said whether before or after the words", article)
    elif found.level == "sentence" and place in ("after", "before"):
        add_sentence(found, new, after=place == "after")
    elif place in ("after", "before"):
        raise Refusal("it is not said whether it is a sentence, a paragraph or words", article)
    elif place in ("start", "end") or found.level in ("paragraph", "item"):
        add_at_edge(found, new, at_end=place != "start")
    elif found.level == "article":  # 增加规定 without a number: a paragraph at the end
        for node in parsed_lines(new.paragraphs):
            node.last.text = with_stop(node.last.text, "。")
            article.body.children.append(node)
    else:
        raise Refusal("it is not certain where the words are added", article)
    return []


def add_beside(
    found: Part, words: Quotation, new: Quotation, target: Target, *, plural: bool = False
) -> list[Node]:
    """Put words after or before others; the parts in which they are now."""
    occurring = meant(found, words.text, words.text + new.text, target, plural=plural)
    if occurring is None:
        raise Refusal("the words run over several paragraphs or items", found.article)
    for one in reversed(occurring):
        text = one.node.text
        at = one.span.end if target.place == "after" else one.span.start
        one.node.reword(text[:at] + new.text + text[at:])
    return [occurrence.node for occurrence in occurring]


def _add_between(found: Part, first: Quotation, second: Quotation, new: Quotation) -> None:
    """Put words between two others that are side by side.

    Raises:
        Refusal: if they do not, or do so more than once.
    """
    following = occurrences(found, second.text)
    before = [
        occurrence
        for occurrence in occurrences(found, first.text)
        if any(occurrence.touches(other) for other in following)
    ]
    if len(before) != 1:
        shown = f"“{first.text}” followed by “{second.text}”"
        reason = f"the words {shown} {described(len(before))} in {found.article.name}"
        raise Refusal(reason, found.article)
    node, end = before[0].node, before[0].span.end
    node.reword(node.text[:end] + new.text + node.text[end:])


def add_sentence(found: Part, new: Quotation, *, after: bool) -> None:
    """Put a sentence after or before another one.

    Raises:
        Refusal: if it does not end as a sentence does.
    """
    assert found.span is not None
    if not without_closing_marks(new.text).endswith(("。", "；", "！", "？")):
        raise Refusal("the sentence that is added has no stop", found.article)
    at = found.span.end if after else found.span.start
    found.node.reword(found.node.text[:at] + new.text + found.node.text[at:])


def add_at_edge(found: Part, new: Quotation, *, at_end: bool) -> None:
    """Put words at the end or the beginning of a paragraph or an item.

    Raises:
        Refusal: if a sentence put at the beginning has no stop, so that it is not certain how it
            goes on.
    """
    node = found.node
    if found.level == "article":
        if not node.live:
            raise Refusal(f"nothing is left of {found.article.name}", found.article)
        node = node.live[-1 if at_end else 0]
    if not at_end:
        if not new.text.rstrip().endswith(ENDS):
            reason = (
                "the words put at the beginning have no mark after them: ；, ， or 。 is not said"
            )
            raise Refusal(reason, *articles_of([found]))
        node.reword(new.text + node.text)
        return
    text = node.last.text.rstrip()
    if new.text.startswith(("，", "；", "、")) and text.endswith(("。", "；")):
        words = new.text.rstrip("。；") if new.text.endswith(text[-1]) else new.text
        node.last.reword(text[:-1] + words + text[-1])
    else:
        node.last.reword(text + with_stop(new.text, text))


def joins_by_marks(node: Node, added: Sequence[tuple[Node, str]], wanted: str) -> bool:
    """Give words that were put beside others the commas that make a part what is wanted.

    “甲”后增加“乙” does not say which mark is between them; an assertion of the result does.

    Returns:
        Whether there are such commas; if not, nothing is changed.
    """
    if without_stops(node.full()) != without_stops(wanted):
        return False
    within = set(node.within())
    inserted = [text for one, text in added if one in within]
    for part in node.within():
        own = [text for text in inserted if part.text.count(text) == 1]
        if len(own) > _MOST_JOINED:
            continue
        before = part.text
        for marks in product(("", "，"), repeat=2 * len(own)):
            for index, text in enumerate(own):
                part.text = part.text.replace(
                    text, f"{marks[2 * index]}{text}{marks[2 * index + 1]}"
                )
            if same_words(node.full(), wanted):
                return True
            part.text = before
    return False
