"""The starter corpus: much-consulted Chinese laws in every text held of them, inside the package.

Each law is in a timeline JSON file beside this module; the crime names of 刑法 are in a file of
their own. The wording is the official one (outside copyright, Copyright Law of the PRC art. 5);
where a copy of a text had to be mended, the file's ``differences`` say how and why. Articles that a
copy lacks are named as ``missing`` in its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from inforce.corpus.timeline_json import (
    CaptionList,
    parse_captions,
    parse_timeline,
    with_captions,
)
from inforce.documents.json_records import JsonFile
from inforce.law.model import VersionText

COVERAGE_NOTE = (
    "The starter corpus holds 38 laws and interpretations, 4,578 provisions: the Criminal Law "
    "since 1997, the Civil Code and eight of the nine laws it replaced, the three procedure laws, "
    "labour, company, consumer and penalty law, the rules on effect in time, and the amounts in "
    "criminal matters. Not everything of them: the texts of eleven laws lack 64 articles, only two "
    "articles are held of the Marriage Law of 1980, and many laws lack their earlier texts "
    '(inforce corpus doctor names them). What is not held is answered "not covered" until you add '
    "it (inforce corpus add)."
)
"""Shown to users before they rely on an answer from the starter corpus."""

_CAPTIONS = "crime-names.json"


def starter_texts() -> Iterator[VersionText]:
    """Every version in the starter corpus, law by law, oldest first.

    Those of 刑法 carry the crime names in use while they were in force.
    """
    names = starter_captions()
    for resource in sorted(files(__name__).iterdir(), key=lambda one: one.name):
        if resource.name.endswith(".json") and resource.name != _CAPTIONS:
            for text in parse_timeline(_file(resource.name)):
                own = names.captions if text.version.work == names.work else ()
                yield from with_captions([text], own)


def starter_captions() -> CaptionList:
    """The crime names of 刑法 since 1997, with the days between which each was official."""
    return parse_captions(_file(_CAPTIONS))


def _file(name: str) -> JsonFile:
    text = (files(__name__) / name).read_text(encoding="utf-8")
    return JsonFile(f"inforce/corpus/starter/{name}", text)
