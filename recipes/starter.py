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
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from crime_names import crime_names
from inforce.corpus.loaders.checks import without_foreign_text
from inforce.corpus.timeline_json import CAPTIONS_FORMAT, FORMAT
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from starter_laws import LAWS
from starter_values import Before, Law, Supplied

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "inforce" / "corpus" / "starter"
PAGE = ROOT / "docs" / "starter.md"
DATA = ROOT.parent / "shared" / "data"
LICENCE = "official wording, outside copyright (PRC Copyright Law art. 5)"

CAPTIONS_NOTE = (
    "Names fixed by the Supreme People's Court (法释〔1997〕9号, 413 names), by the Supreme "
    "People's Procuratorate where it differed (高检发释字〔1997〕3号), and by their joint "
    "supplements one to eight; 483 names since 2021. 骗购外汇罪 is left out: it belongs to article "
    "1 of the decision of 29 December 1998, not to an article of this law. A name is official from "
    "the day its rule took effect, which may be later than the article itself."
)

PAGE_HEAD = """# What the starter corpus holds

The laws that come with the package, each in the texts named, with all articles but those the last
column names: official wording, which is outside copyright (著作权法 art. 5). {lacking} of them lack
articles in the copies they were made from, {holes} articles in all; earlier texts that are not
held are named too. `inforce corpus add` adds any other law or text ([the corpus](corpus.md)); what
is not held is answered *not covered*. `recipes/starter.py` writes this page.

A text of a law in force is known as far as the day its source was current; later amendments are
not in it.

| law | texts held, by first day in force | known on | what is not held |
|---|---|---|---|
"""

PAGE_FOOT = """
The crime names (罪名) of the whole Criminal Law come with it, each with the days it was official:
no part of the law, found by search, shown apart and never quoted.

Where a copy had to be mended (a half-width colon, two paragraphs run together), the law's file says
what, where and why (`differences`), and which copy each text is from (`note`). The tests compare
every text with its copy, and every first and last day with what all histories, decisions, registers
and repeals of the whole data show.
"""

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
    documents = [document(law, records) for law in LAWS]
    for law, one in zip(LAWS, documents, strict=True):
        yield TARGET / f"{law.slug}.json", _pretty(one)
    yield PAGE, page(documents)
    yield TARGET / "crime-names.json", _pretty(captions_document(data))


def document(law: Law, records: Sequence[Record]) -> Record:
    """One law as timeline JSON."""
    held = _held(law, records)
    numbers = _numbers(law, held)
    differences = [
        *(_difference(place, law, held, numbers) for place in range(len(law.mends))),
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
        "provisions": [_provision(number, law, held) for number in numbers],
    }


def page(documents: Sequence[Record]) -> str:
    """What the starter corpus holds and does not, for people."""
    holes = [sum(len(one.get("missing", ())) for one in law["versions"]) for law in documents]
    head = PAGE_HEAD.format(lacking=len([*filter(None, holes)]), holes=sum(holes))
    return head + "".join(map(_row, documents)) + PAGE_FOOT


def _row(document: Record) -> str:
    versions = document["versions"]
    texts = ", ".join(f"{one['valid_from']} {one['label']}" for one in versions)
    if versions[-1]["valid_to"]:
        texts += f"; until {versions[-1]['valid_to']}"
    holes = {ProvisionNumber.parse(no) for one in versions for no in one.get("missing", ())}
    missing = "、".join(number.chinese for number in sorted(holes))
    lacks = [document["note"], f"The copy lacks {missing}." if missing else ""]
    known = document["source"].get("as_of", "")
    return f"| {document['law']} | {texts} | {known} | {' '.join(filter(None, lacks))} |\n"


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


def _without_foreign_text(record: Record) -> Record:
    """A copy without notes of deletion and headings at the ends of articles, as when added."""
    articles = [
        Provision(ProvisionNumber.parse(one["no"]), one["text"], one["path"])
        for one in record["articles"]
    ]
    kept = [
        {"no": one.number.chinese, "text": one.text, "path": one.path}
        for one in without_foreign_text(articles)
    ]
    return {**record, "articles": kept}


def _held(law: Law, records: Sequence[Record]) -> list[Record]:
    """The copies of a law, oldest first; exactly the versions that are expected."""
    held = [_without_foreign_text(one) for one in records if _is_copy_of(one, law)]
    if law.before:
        held.append(_earlier_text(law.before, held, law))
    held.sort(key=lambda one: _first_day(one, law))
    supplied = [one.valid_from for one in law.supplied]
    first_days = [_first_day(one, law) for one in held]
    if sorted([*supplied, *first_days]) != sorted(law.instruments):
        raise ValueError(f"{law.title}: {first_days} are not the versions expected")
    return held


_REFERENCE = re.compile("第([一二三四五六七八九十百]+)条")


def _earlier_text(before: Before, held: Sequence[Record], law: Law) -> Record:
    """The text before an act that changed certain articles and deleted one, from the text after it.

    Articles behind the deleted one, and references to them, have their earlier numbers; those whose
    words the act changed are missing.
    """

    def earlier(number: int) -> int:
        return number + (number >= before.deleted)

    def with_earlier_references(text: str) -> str:
        return _REFERENCE.sub(lambda found: article(earlier(main_number(found[0]))), text)

    later = next(one for one in held if _first_day(one, law) == before.later)
    articles = [
        {**one, "no": article(earlier(number)), "text": with_earlier_references(one["text"])}
        for one in later["articles"]
        if (number := main_number(one["no"])) not in before.changed
    ]
    missing = sorted([before.deleted, *map(earlier, before.changed)])
    return {
        **later,
        "version_label": before.label,
        "valid_from": before.valid_from,
        "valid_to": None,
        "promulgated": before.promulgated,
        "articles": articles,
        "missing_articles": [article(number) for number in missing],
        "history": None,
        "origin": f"the text of {before.later} but for what the act changed: {before.why}",
    }


def article(number: int) -> str:
    """The name of an article: 第二十九条."""
    return _chinese(str(number))


def main_number(name: str) -> int:
    """The number in the name of an article."""
    return ProvisionNumber.parse(name).main


def _first_day(record: Record, law: Law) -> str:
    """As the data states it, or where it does not, as the history of the law's texts shows it."""
    return record["valid_from"] or law.begins[record["version_label"]]


def _is_copy_of(record: Record, law: Law) -> bool:
    if record["law"] != law.title:
        return False
    if law.copies:
        return (record["version_label"], record["source_repo"].split("/")[0]) in law.copies
    return record["category"] in ("core", "司法解释")


def _numbers(law: Law, held: Sequence[Record]) -> list[ProvisionNumber]:
    """Every number an article of the law ever had, in order."""
    copied = {ProvisionNumber.parse(article["no"]) for one in held for article in one["articles"]}
    supplied = {ProvisionNumber.parse(number) for one in law.supplied for number in one.texts}
    return sorted(copied | supplied)


def _versions(law: Law, held: Sequence[Record]) -> list[Record]:
    supplied = [_supplied_version(one, law) for one in law.supplied]
    days = [_first_day(one, law) for one in held]
    following = [*days[1:], ""]
    versions = (_version(one, law, until) for one, until in zip(held, following, strict=True))
    return [*supplied, *versions]


def _version(record: Record, law: Law, following: str) -> Record:
    """A version until the day before the next one, or until the law was repealed."""
    first = _first_day(record, law)
    last = date.fromisoformat(following) - timedelta(days=1) if following else None
    last_day = last.isoformat() if last else record["valid_to"]
    if following and record["valid_to"] not in (None, last_day):
        raise ValueError(f"{law.title} {first}: the data ends it on {record['valid_to']}")
    return {
        "label": _label(record, law),
        "valid_from": first,
        "valid_to": last_day,
        "promulgated": record["promulgated"],
        "instrument": law.instruments[first],
        "whole": True,
        **({"missing": record["missing_articles"]} if record["missing_articles"] else {}),
        **({"history": record["history"]} if record.get("history") else {}),
        "note": _origin(record),
    }


def _origin(record: Record) -> str:
    if "origin" in record:
        return str(record["origin"])
    where = " · ".join(filter(None, (record["source_path"], record["source_commit"][:12])))
    return f"copied from {record['source_repo']}: {where}"


def _supplied_version(version: Supplied, law: Law) -> Record:
    return {
        "label": version.label,
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "promulgated": version.promulgated,
        "instrument": law.instruments[version.valid_from],
    }


def _label(record: Record, law: Law) -> str:
    return law.labels.get(_first_day(record, law)) or record["version_label"]


def _provision(number: ProvisionNumber, law: Law, held: Sequence[Record]) -> Record:
    wordings = [
        (one.label, Wording(one.texts[number.short], one.paths[number.short]))
        for one in law.supplied
        if number.short in one.texts
    ]
    wordings += [(_label(record, law), _mended(record, number.chinese, law)) for record in held]
    while wordings[0][1].text is None:
        del wordings[0]
    path = wordings[0][1].path
    return {"no": number.chinese, "path": path, "texts": list(_changes(wordings, path))}


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
    return Wording(None)  # the law had none, or it is among the version's ``missing``


def _heading(path: str, law: Law) -> str:
    for copy, official in law.headings.items():
        if path.startswith(copy):
            return official + path.removeprefix(copy)
    return path


def _difference(
    place: int, law: Law, held: Sequence[Record], numbers: Sequence[ProvisionNumber]
) -> Record:
    """Where one mend applies, after those before it."""
    mend, before = law.mends[place], replace(law, mends=law.mends[:place])
    where: dict[str, list[str]] = {}
    for number in numbers:
        texts = ((_label(one, law), _mended(one, number.chinese, before).text) for one in held)
        labels = [label for label, text in texts if text and mend.data in text]
        if labels:
            where[number.chinese] = labels
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
