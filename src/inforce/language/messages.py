"""Translation of what people read: labels by their message, composed sentences by their form.

Labels of the command line and of the pages are messages of a gettext catalogue. Reasons and errors
are composed where they arise, deep in the library, in English: they are results too, and are
stored and compared. They are translated where they are shown: ``the law first came into force on
1980-01-01`` has the form ``the law first came into force on {}``, which is a message of the same
catalogue, and what is in its place is translated in turn.

>>> messages("zh").sentence("the law first came into force on 1980-01-01")
'该法自 1980-01-01 起施行'
>>> messages("en").sentence("the law first came into force on 1980-01-01")
'the law first came into force on 1980-01-01'
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from inforce.dates import DateRange
from inforce.language import Language

_PLACE: Final = re.compile(r"{\w*}")
_LETTERS: Final = re.compile("[a-z;]")
_ADJACENT: Final = re.compile(r"}{")
"""Places with nothing between them: what fills them could not be told apart."""
_SAYS: Final = re.compile("[a-z]{2,} [a-z]{2,}")
_PARENTHESES: Final = re.compile("[()]")
_FEW_WORDS: Final = 20
"""Characters of a form beside its places."""
_DEEPEST: Final = 4
"""Sentences within sentences that are translated."""
_LONGEST: Final = 4000
"""Characters of a sentence that is translated; what is longer, somebody else wrote."""
_MOST_READS: Final = 300
"""Parts of a sentence that are looked at; composed ones have some forty."""


def N_(message: str) -> str:
    """Mark a message that is translated elsewhere (the name is gettext's)."""
    return message


def NC_(context: str, message: str) -> str:
    """Mark a message that is said otherwise in this context (the name is gettext's)."""
    return message


_LIST: Final = N_("; ")
"""What separates sentences."""


class Messages:
    """The messages of a language.

    Args:
        language: which; English is what the messages are written in.
    """

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._translations = _translations(language)
        self.sentence = lru_cache(4096)(self._sentence)

    def text(self, message: str, context: str = "") -> str:
        """A label, in the words of a context where that has words of its own."""
        own = self._translations.pgettext(context, message) if context else message
        return own if own != message else self._translations.gettext(message)

    def plural(self, one: str, many: str, number: int) -> str:
        """A label that counts; ``{number}`` in it is replaced."""
        return self._translations.ngettext(one, many, number).format(number=number)

    def days(self, days: DateRange) -> str:
        """``2011-05-01 to 2015-10-31``, both days included."""
        if days.is_single_day:
            return days.start.isoformat()
        if days.start == date.min:
            return self.text("until {}").format(days.last) if days.last else self.text("always")
        if days.last is None:
            return self.text("since {}").format(days.start)
        return self.text("{} to {}").format(days.start, days.last)

    def _sentence(self, text: str) -> str:
        """A translated sentence; unchanged where its form is not known."""
        if self.language == "en" or not text or len(text) > _LONGEST:
            return text
        return _Reader(self.text, self._forms).read(text, 0).text

    @cached_property
    def _forms(self) -> Sequence[_Form]:
        """Messages with places, those with the most words first, as they are the most exact."""
        catalogue: dict[object, str] = getattr(self._translations, "_catalog", {})
        found = [
            _form(message)
            for message in catalogue
            if isinstance(message, str) and _PLACE.search(message) and not _ADJACENT.search(message)
        ]
        words = [form for form in found if _LETTERS.search(_PLACE.sub("", form.message))]
        return sorted(words, key=lambda form: -len(_PLACE.sub("", form.message)))


class _Reader:
    """Translates a sentence part by part, in bounded time, as parts may be anybody's words."""

    def __init__(self, said: Callable[[str], str], known: Sequence[_Form]) -> None:
        self._said = said
        self._known = known
        self._reads = 0

    def read(self, text: str, deep: int) -> _Reading:
        """A text with its known parts translated, and the number of those that are not."""
        self._reads += 1
        whole = self._said(text)
        left = 1 if _SAYS.search(text) else 0
        if whole != text or deep > _DEEPEST or self._reads > _MOST_READS:
            return _Reading(whole, 0 if whole != text else left)
        if _LIST in text:
            parts = [self.read(part, deep + 1) for part in text.split(_LIST)]
            if not any(part.left for part in parts):
                return _Reading(self._said(_LIST).join(part.text for part in parts), 0)
        for form in self._known:
            readings = [self._filled(form, parts, deep) for parts in form.matches(text)]
            best = min(readings, key=lambda reading: reading.left, default=None)
            if best is not None and not (best.left and form.is_short):
                return best
        return _Reading(text, left)

    def _filled(self, form: _Form, parts: Sequence[str], deep: int) -> _Reading:
        readings = [
            _Reading(part, 0) if is_name else self.read(part, deep + 1)
            for part, is_name in zip(parts, form.names, strict=True)
        ]
        filled = _filled(
            self._said(form.message), form.places, [reading.text for reading in readings]
        )
        return _Reading(filled, sum(reading.left for reading in readings))


class _Reading(NamedTuple):
    text: str
    left: int
    """Parts in words that could not be translated."""


class _Form(NamedTuple):
    message: str
    pieces: Sequence[str]
    """What stands before, between and after the places."""
    places: tuple[str, ...]
    names: tuple[bool, ...]
    """Which of them are in quotation marks: names, which stay what they are."""
    is_short: bool
    """Whether it has few words of its own: it matches only where all its parts are known."""

    def matches(self, text: str) -> Iterator[Sequence[str]]:
        """The texts that may fill the places: as short, and as long, as the first ones may be.

        No place takes one parenthesis without the other. Takes time in proportion to the text.
        """
        first, *between, last = self.pieces
        start, end = len(first), len(text) - len(last)
        if start >= end or not (text.startswith(first) and text.endswith(last)):
            return
        for found in (_leftmost(text, between, start, end), _rightmost(text, between, start, end)):
            if found and all(map(_is_balanced, found)):
                yield found


def _leftmost(text: str, pieces: Sequence[str], start: int, end: int) -> Sequence[str]:
    """What is between the pieces, each as far left as may be; empty if they are not all there."""
    found: list[str] = []
    for piece in pieces:
        at = text.find(piece, start + 1, end)
        if at < 0:
            return ()
        found.append(text[start:at])
        start = at + len(piece)
    return [*found, text[start:end]] if start < end else ()


def _rightmost(text: str, pieces: Sequence[str], start: int, end: int) -> Sequence[str]:
    """As `_leftmost`, each as far right as may be."""
    found: list[str] = []
    for piece in reversed(pieces):
        at = text.rfind(piece, start, end - 1)
        if at < 0:
            return ()
        found.append(text[at + len(piece) : end])
        end = at
    return [*reversed([*found, text[start:end]])] if start < end else ()


@cache
def messages(language: Language) -> Messages:
    """The messages of a language."""
    return Messages(language)


def _translations(language: Language) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    place = files("inforce.language").joinpath("locale", language, "LC_MESSAGES", "inforce.mo")
    with place.open("rb") as file:
        return gettext.GNUTranslations(file)


def _form(message: str) -> _Form:
    is_label = message.endswith(": {}")
    is_short = not is_label and len(_PLACE.sub("", message)) < _FEW_WORDS
    quoted = tuple(
        message[place.start() - 1 : place.start()] == "'" == message[place.end() : place.end() + 1]
        for place in _PLACE.finditer(message)
    )
    named = (place[1:-1] for place in _PLACE.findall(message))
    places = tuple(name or str(index) for index, name in enumerate(named))  # others are counted
    return _Form(message, _PLACE.split(message), places, quoted, is_short)


def _is_balanced(text: str) -> bool:
    """Whether every parenthesis of a text is closed in it, and none that was not opened."""
    depth = 0
    for sign in _PARENTHESES.findall(text):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return False
    return depth == 0


def _filled(message: str, names: Sequence[str], parts: Sequence[str]) -> str:
    """A translation with its places filled: braces in what fills them stay what they are."""
    by_name = dict(zip(names, parts, strict=True))
    order = iter(names)
    return _PLACE.sub(lambda place: by_name[place[0][1:-1] or next(order)], message)
