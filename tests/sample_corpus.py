"""The small corpus most tests read: what they expect does not change with the starter laws.

184 provisions of eleven laws and interpretations in 351 wordings, with the crime names: the starter
corpus of the first release. The figures of training were measured on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from inforce.corpus.timeline_json import parse_timeline
from inforce.documents.json_records import JsonFile
from inforce.law.model import VersionText

FOLDER = Path(__file__).parent / "sample"


def sample_texts() -> Iterator[VersionText]:
    """Every version, law by law; those of 刑法 with the crime names of their days."""
    for path in sorted(FOLDER.glob("*.json")):
        yield from parse_timeline(JsonFile.read(path))
