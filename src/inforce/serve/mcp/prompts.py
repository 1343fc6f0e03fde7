"""Prompts: instructions for a model on dated questions and drafts, in the language of the user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, NamedTuple

from inforce.errors import UserError


class Argument(NamedTuple):
    """An argument of a prompt."""

    name: str
    description: str
    required: bool = True


class Prompt(NamedTuple):
    """A prompt that a user can choose."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]

    def text(self, values: Mapping[str, str]) -> str:
        """The text of the prompt, with the values of its arguments.

        Raises:
            UserError: if a required argument is missing.
        """
        for argument in self.arguments:
            if argument.required and not values.get(argument.name, "").strip():
                raise UserError(f"the prompt {self.name} needs {argument.name}")
        language = "zh" if _CHINESE.search(values.get(self.arguments[0].name, "")) else "en"
        file = files("inforce.serve.mcp").joinpath("prompt_texts", f"{self.name}.{language}.md")
        text = file.read_text(encoding="utf-8")
        for argument in self.arguments:
            value = values.get(argument.name, "").strip() or _NOT_GIVEN[language]
            text = text.replace("{{" + argument.name + "}}", value)
        return text


_CHINESE: Final = re.compile("[\u4e00-\u9fff]")
_NOT_GIVEN: Final = {"zh": "（未给出）", "en": "(not given)"}

PROMPTS: Final = (
    Prompt(
        "dated_question",
        "A question about the law of a time",
        "Answers a legal question under the law in force at the time of the facts, with verbatim "
        "quotations and their days.",
        (
            Argument("question", "What is to be answered, with the facts."),
            Argument("as_of", "The days of the facts, if the question does not tell.", False),
            Argument("trial", "The day of the trial, if there is one.", False),
        ),
    ),
    Prompt(
        "check_draft",
        "Check a draft's citations",
        "Checks every citation and quotation of a text for the days it is about.",
        (
            Argument("text", "The draft."),
            Argument("as_of", "The days of the facts, if the draft does not tell.", False),
        ),
    ),
)
