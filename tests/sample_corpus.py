"""The small corpus most tests read: what they expect does not change with the starter laws.

184 provisions of eleven laws and interpretations in 351 wordings, with the crime names.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from inforce.corpus.timeline_json import read_captions, read_timeline, with_captions
from inforce.law.model import VersionText

FOLDER = Path(__file__).parent / "sample"
CAPTIONS = FOLDER / "crime-names.json"


def sample_texts() -> Iterator[VersionText]:
    """Every version, law by law; those of 刑法 with the crime names of their days."""
    names = read_captions(CAPTIONS)
    for path in sorted(FOLDER.glob("*.json")):
        if path != CAPTIONS:
            for text in read_timeline(path):
                own = names.captions if text.version.work == names.work else ()
                yield from with_captions([text], own)
