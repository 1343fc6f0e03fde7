"""Write the starter corpus from the research data; the same data always gives the same files.

::

    python recipes/starter.py            # write src/inforce/corpus/starter/*.json
    python recipes/starter.py --check    # write nothing; exit 1 if a file would change

Needs the research data (``../shared/data``, or ``--data``). What is taken and what is mended stands
in `starter_laws`, the crime names in `crime_names`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from crime_names import crime_names
from starter_laws import LAWS, Law, Supplied

from inforce.corpus.timeline_json import CAPTIONS_FORMAT, FORMAT
from inforce.law.numerals import ProvisionNumber

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "inforce" / "corpus" / "starter"
DATA = ROOT.parent / "shared" / "data"
LICENCE = "official wording, outside copyright (PRC Copyright Law art. 5)"

CAPTIONS_NOTE = (
    "Names fixed by the Supreme People's Court (法释〔1997〕9号, 413 names), by the Supreme "
    "People's Procuratorate where it differed (高检发释字〔1997〕3号), and by their joint "
    "supplements one to eight; 483 names since 2021. 骗购外汇罪 is left out: it belongs to article "
    "1 of the decision of 29 December 1998, not to an article of this law. A name is official from "
    "the day its rule took effect, which may be later than the article itself."
)

Record = dict[str, Any]
"""A JSON object of the data or of a file written here."""


@dataclass(frozen=True)
class Wording:
    """One article in one version: its text and headings, or ``None`` and none."""

    text: str | None
    path: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or with ``--check`` say which would change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the research data")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on a change")
    options = parser.parse_args(arguments)
    stale = {path: text for path, text in files(options.data) if _differs(path, text)}
    if not options.check:
        for path, text in stale.items():
            path.write_text(text, encoding="utf-8")
    print("changed:", ", ".join(path.name for path in stale) or "nothing")
    return int(options.check and bool(stale))


def files(data: Path) -> Iterator[tuple[Path, str]]:
    """Every file of the starter corpus with its content."""
    records = list(_records(data / "statutes"))
    for law in LAWS:
        yield TARGET / f"{law.slug}.json", _pretty(document(law, records))
    yield TARGET / "crime-names.json", _pretty(captions_document(data))


def document(law: Law, records: Sequence[Record]) -> Record:
    """One law as timeline JSON."""
    held = _held(law, records)
    differences = [
        *(_difference(place, law, held) for place in range(len(law.mends))),
        *(_supplied_difference(one) for one in law.supplied),
    ]
    return {
        "format": FORMAT,
        "law": law.title,
        "category": law.category,
        "source": {
            "name": "inforce starter corpus",
            "path": f"{law.slug}.json",
            "licence": LICENCE,
            **({"as_of": law.as_of} if law.as_of else {}),
        },
        "note": law.note,
        "differences": [one for one in differences if one["where"]],
        "versions": _versions(law, held),
        "provisions": [_provision(number, law, held) for number in law.articles.split()],
    }


def captions_document(data: Path) -> Record:
    """The crime names of 刑法."""
    return {
        "format": CAPTIONS_FORMAT,
        "law": "中华人民共和国刑法",
        "note": CAPTIONS_NOTE,
        "captions": [name.record() for name in crime_names(data)],
    }


def _records(statutes: Path) -> Iterator[Record]:
    for name in ("versions.jsonl.gz", "laws_current.jsonl.gz"):
        with gzip.open(statutes / name, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _held(law: Law, records: Sequence[Record]) -> list[Record]:
    """The copies of a law, oldest first; exactly the versions that are expected."""
    held = sorted((one for one in records if _is_copy_of(one, law)), key=_first_day)
    supplied = [one.valid_from for one in law.supplied]
    if sorted([*supplied, *map(_first_day, held)]) != sorted(law.instruments):
        raise ValueError(f"{law.title}: the versions in the data are not those expected")
    return held


def _first_day(record: Record) -> str:
    return record["valid_from"]


def _is_copy_of(record: Record, law: Law) -> bool:
    return record["law"] == law.title and record["category"] in ("core", "司法解释")


def _versions(law: Law, held: Sequence[Record]) -> list[Record]:
    supplied = [_supplied_version(one, law) for one in law.supplied]
    return [*supplied, *(_version(one, law) for one in held)]


def _version(record: Record, law: Law) -> Record:
    """Interpretations are in force still, whatever the data makes of their headers."""
    status = "open" if law.category == "司法解释" else record["valid_to_status"]
    return {
        "label": _label(record, law),
        "valid_from": record["valid_from"],
        "valid_to": record["valid_to"],
        "valid_to_status": status,
        "promulgated": record["promulgated"],
        "instrument": law.instruments[record["valid_from"]],
    }


def _supplied_version(version: Supplied, law: Law) -> Record:
    return {
        "label": version.label,
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "valid_to_status": "exact",
        "promulgated": version.promulgated,
        "instrument": law.instruments[version.valid_from],
    }


def _label(record: Record, law: Law) -> str:
    return law.label or record["version_label"]


def _provision(number: str, law: Law, held: Sequence[Record]) -> Record:
    chinese = _chinese(number)
    wordings = [
        (one.label, Wording(one.texts[number], one.paths[number]))
        for one in law.supplied
        if number in one.texts
    ]
    wordings += [(_label(record, law), _mended(record, chinese, law)) for record in held]
    path = next(wording.path for _, wording in wordings if wording.text)
    return {"no": chinese, "path": path, "texts": list(_changes(wordings, path))}


def _changes(wordings: Sequence[tuple[str, Wording]], path: str) -> Iterator[Record]:
    """Only the versions at which the wording changed."""
    previous: Wording | None = None
    for label, wording in wordings:
        if wording != previous:
            own_path = {"path": wording.path} if wording.text and wording.path != path else {}
            yield {"since": label, **own_path, "text": wording.text}
        previous = wording


def _mended(record: Record, number: str, law: Law) -> Wording:
    copied = _copied(record, number)
    if copied.text is None:
        return copied
    text = copied.text
    for mend in law.mends:
        text = text.replace(mend.data, mend.ours)
    return Wording(text, _heading(copied.path, law))


def _copied(record: Record, number: str) -> Wording:
    for article in record["articles"]:
        if article["no"] == number:
            return Wording(article["text"], article["path"])
    if number in record["missing_articles"]:
        raise ValueError(f"{record['law']} {number}: a hole in the data, to be supplied")
    return Wording(None)


def _heading(path: str, law: Law) -> str:
    for copy, official in law.headings.items():
        if path.startswith(copy):
            return official + path.removeprefix(copy)
    return path


def _difference(place: int, law: Law, held: Sequence[Record]) -> Record:
    """Where one mend applies, after those before it."""
    mend, before = law.mends[place], replace(law, mends=law.mends[:place])
    where: dict[str, list[str]] = {}
    for number in map(_chinese, law.articles.split()):
        texts = ((_label(one, law), _mended(one, number, before).text) for one in held)
        labels = [label for label, text in texts if text and mend.data in text]
        if labels:
            where[number] = labels
    return {"data": mend.data, "ours": mend.ours, "why": mend.why, "where": where}


def _supplied_difference(version: Supplied) -> Record:
    where = {_chinese(number): [version.label] for number in version.texts}
    return {"data": None, "ours": None, "why": version.why, "where": where}


def _chinese(number: str) -> str:
    return ProvisionNumber.parse(number).chinese


def _pretty(value: Record) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _differs(path: Path, text: str) -> bool:
    return not path.is_file() or path.read_text(encoding="utf-8") != text


if __name__ == "__main__":
    sys.exit(main())
