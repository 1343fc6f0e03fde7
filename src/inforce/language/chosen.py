"""The language a person reads: as given, by ``INFORCE_LANG``, or that of their system."""

from __future__ import annotations

import os
from typing import Final

from inforce.errors import UserError
from inforce.language import Language

VARIABLE: Final = "INFORCE_LANG"
"""Chooses the language of a person: ``zh`` or ``en``."""

_LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


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
