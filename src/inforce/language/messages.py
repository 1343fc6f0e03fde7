"""What a person reads, in Chinese: labels by their message, composed sentences by their form.

Labels of the command line and of the pages are messages of a gettext catalogue. Reasons and errors
are composed where they arise, deep in the library, in English: they are results too, and are
stored and compared. They are translated where they are shown: ``the law first came into force on
1980-01-01`` has the form ``the law first came into force on {}``, which is a message of the same
catalogue, and what stands in its place is translated in turn.

>>> messages("zh").sentence("the law first came into force on 1980-01-01")
'该法自 1980-01-01 起施行'
>>> messages("en").sentence("the law first came into force on 1980-01-01")
'the law first came into force on 1980-01-01'
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from inforce.dates import DateRange
from inforce.errors import UserError
from inforce.language import Language

VARIABLE: Final = "INFORCE_LANG"
"""Chooses the language of a person: ``zh`` or ``en``."""

_LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_PLACE: Final = re.compile(r"{\w*}")
_FEW_WORDS: Final = 20
"""Characters of a form beside its places."""
_DEEPEST: Final = 4
"""Sentences within sentences that are translated."""


def N_(message: str) -> str:
    """Marks a message that is translated elsewhere (the name is gettext's)."""
    return message


_WORDS: Final = (
    *(N_("fact"), N_("result"), N_("contract"), N_("due"), N_("known"), N_("marriage")),
    *(N_("divorce"), N_("will"), N_("death"), N_("birth"), N_("investigation"), N_("filing")),
    *(N_("trial"), N_("judgment"), N_("decision"), N_("announcement"), N_("law"), N_("setting")),
    *(N_("facts"), N_("running"), N_("finished"), N_("stopped"), N_("interrupted"), N_("failed")),
    *(N_("answered"), N_("abstained"), N_("turn_limit"), N_("budget"), N_("invalid")),
    *(N_("since at least {}"), N_("{} to at least {}"), N_("since at least {}, to {}")),
    *(N_("since at least {}, to at least {}"), N_("since {} (as far as known on {})")),
    N_("since at least {} (as far as known on {})"),
    *(N_("prosecution"), N_("claim"), N_("penalty"), N_("within"), N_("over")),
    *(N_("cannot_decide"), N_("end unknown"), N_("start unknown"), N_("dates differ")),
    *(N_("text differs"), N_("{} years"), N_("{} months"), N_("{} days"), N_("1 year")),
    *(N_("1 month"), N_("{} art. {}"), N_("{} arts. {}"), N_("{} art. {} para. {}")),
    *(N_("{} ({}) art. {} para. {}"), N_("{} ({}) art. {}"), N_("{}; {}"), N_("in force {}")),
    *(N_("published {}"), N_("in force then"), N_("since amended"), N_("; did you mean {}?")),
)
"""Values that are shown as words: roles of dates, states, outcomes, and how sources are cited."""


class Messages:
    """The messages of a language.

    Args:
        language: which; English is what the messages are written in.
    """

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._translations = _translations(language)
        self.sentence = lru_cache(4096)(self._sentence)

    def text(self, message: str) -> str:
        """A label."""
        return self._translations.gettext(message)

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

    def _sentence(self, text: str, deep: int = 0) -> str:
        """A sentence composed elsewhere; as it is where its form is not known."""
        if self.language == "en" or not text:
            return text
        whole = self.text(text)
        if whole != text or deep > _DEEPEST:
            return whole
        for form in self._forms():
            if found := form.pattern.fullmatch(text):
                parts = [self._sentence(part, deep + 1) for part in found.groups()]
                return _filled(self.text(form.message), form.places, parts)
        return text

    @cache  # noqa: B019 - one instance a language
    def _forms(self) -> Sequence[_Form]:
        """Messages with places, the most words first: the more exact form is meant."""
        catalogue: dict[object, str] = getattr(self._translations, "_catalog", {})
        found = [_form(one) for one in catalogue if isinstance(one, str) and _PLACE.search(one)]
        words = [form for form in found if _PLACE.sub("", form.message).strip()]
        return sorted(words, key=lambda form: -len(_PLACE.sub("", form.message)))


class _Form(NamedTuple):
    message: str
    pattern: re.Pattern[str]
    places: tuple[str, ...]


@cache
def messages(language: Language) -> Messages:
    """The messages of a language."""
    return Messages(language)


def chosen_language(given: str = "") -> Language:
    """The language of a person: as given, else ``INFORCE_LANG``, else that of their system.

    Raises:
        UserError: if another language is named.
    """
    named = given or os.environ.get(VARIABLE, "")
    if named:
        if named == "zh" or named.startswith(("zh_", "zh-")):
            return "zh"
        if named == "en" or named.startswith(("en_", "en-")):
            return "en"
        raise UserError(f"there is no language {named!r}: use zh or en")
    locale = next((value for name in _LOCALES if (value := os.environ.get(name))), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def _translations(language: Language) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    place = files("inforce.language").joinpath("locale", language, "LC_MESSAGES", "inforce.mo")
    with place.open("rb") as file:
        return gettext.GNUTranslations(file)


def _form(message: str) -> _Form:
    """The form of a message: a place for each ``{}``, matched as shortly as may be.

    A form of few words (``{} art. {}``) is no list: nothing in its places is separated by ``;``.
    """
    pieces = [re.escape(piece) for piece in _PLACE.split(message)]
    place = "(.+?)" if len("".join(pieces)) > _FEW_WORDS or ";" in message else "([^;]+?)"
    return _Form(message, re.compile(place.join(pieces), re.DOTALL), _names(message))


def _names(message: str) -> tuple[str, ...]:
    """The names of the places of a message; those without one are counted."""
    found = [place[1:-1] for place in _PLACE.findall(message)]
    return tuple(name or str(index) for index, name in enumerate(found))


def _filled(message: str, names: Sequence[str], parts: Sequence[str]) -> str:
    """A translation with its places filled: braces in what fills them stay what they are."""
    by_name = dict(zip(names, parts, strict=True))
    order = iter(names)
    return _PLACE.sub(lambda place: by_name[place[0][1:-1] or next(order)], message)
