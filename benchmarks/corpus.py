"""The corpus benchmark: load all statutes and a repository of laws, and check how they are dated.

``python benchmarks/corpus.py [--data ../shared/data] [--local] [--list] [--draw N] [--json]``

Measures loading (seconds, memory), adding one law to a full corpus, how many laws and texts remain
without dates, whether the articles that answer people's questions are found, and whether the days
around each change have the right text. ``--list`` names all exceptions with their reasons;
``--draw N`` prints random windows with the history lines they are derived from, to be checked by a
person. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from inforce.corpus.dating.editions import Edition
from inforce.corpus.loaders import load
from inforce.corpus.starter import starter_texts
from inforce.corpus.store import Corpus
from inforce.errors import InputError, UserError
from inforce.law.model import Version, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Timeline
from inforce.retrieval.index import update_index
from inforce.testing import tiny_law

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"
NATIONAL = ("statutes/versions.jsonl.gz", "statutes/laws_current.jsonl.gz")
LOCAL = "statutes/laws_local.jsonl.gz"
REPOSITORY = "just-laws/just-laws.bundle"

QUESTIONS_ASKED = date(2023, 6, 1)
"""The day of the law that the gold articles of STARD quote."""

_ARTICLE_NAME = re.compile(
    r"(.*?)(第[一二三四五六七八九十百千零〇]+条(?:之[一二三四五六七八九十]+)?)"
)


@dataclass
class Figures:
    """Figures of the corpus."""

    load_s: float = 0
    peak_gb: float = 0
    corpus_mb: float = 0
    add_one_s: float = 0
    works: int = 0
    records: int = 0
    without_usable: list[str] = field(default_factory=list[str])
    unknown_ends: list[str] = field(default_factory=list[str])
    unknown_starts: list[str] = field(default_factory=list[str])
    conflicts: int = 0
    missing_texts: int = 0
    pairs: int = 0
    pairs_same: int = 0
    pairs_part: int = 0
    pairs_other: list[str] = field(default_factory=list[str])
    needs: int = 0
    needs_found: int = 0
    gold: int = 0
    gold_found: int = 0
    gold_other: list[str] = field(default_factory=list[str])
    changes: int = 0
    days_checked: int = 0
    days_wrong: list[str] = field(default_factory=list[str])


def main() -> int:
    options = _options()
    if not options.data.is_dir():
        print(f"no benchmark data in {options.data}: nothing to measure", file=sys.stderr)
        return 0
    if options.load_into:
        print(json.dumps(_load(options.data, options.load_into, local=options.local)))
        return 0
    with tempfile.TemporaryDirectory(prefix="inforce-corpus-") as folder:
        figures = Figures(**_loaded(options, Path(folder)))
        with Corpus.open(Path(folder, "corpus.db"), mode="write") as corpus:
            figures.add_one_s = _add_one(corpus, Path(folder, "index"))
        with Corpus.open(Path(folder, "corpus.db")) as corpus:
            _count(corpus, figures)
            _questions(corpus, options.data / "questions" / "lecoqa_train.jsonl.gz", figures)
            _exam(corpus, options.data / "practice" / "exam.jsonl", figures)
            _changes(corpus, figures)
            if options.draw:
                _draw(corpus, options.draw, options.seed)
    if not options.json:
        print(_table(figures))
        if options.list:
            _print_lists(figures)
    print(json.dumps(asdict(figures), ensure_ascii=False))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The corpus benchmark.")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the real data")
    parser.add_argument("--local", action="store_true", help="load local regulations too")
    parser.add_argument("--list", action="store_true", help="name what is left over, with reasons")
    parser.add_argument("--draw", type=int, default=0, help="print this many windows at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    parser.add_argument("--load-into", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


# -- loading ---------------------------------------------------------------------------------------


def _loaded(options: argparse.Namespace, home: Path) -> dict[str, Any]:
    """Load in a process of its own, to measure the peak of memory of loading alone."""
    command = [sys.executable, str(HERE / "corpus.py"), "--data", str(options.data)]
    command += ["--load-into", str(home), *(["--local"] if options.local else [])]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def _load(data: Path, home: Path, *, local: bool) -> dict[str, float]:
    began = time.perf_counter()
    path = home / "corpus.db"
    with Corpus.open(path, mode="write") as corpus:
        corpus.add(_texts(data, local=local))
    took = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return {"load_s": took, "peak_gb": peak, "corpus_mb": path.stat().st_size / 2**20}


def _texts(data: Path, *, local: bool) -> Iterator[VersionText]:
    yield from starter_texts()
    for name in (*NATIONAL, *([LOCAL] if local else []), REPOSITORY):
        yield from load(data / name, on_problem=_report)


def _report(problem: InputError) -> None:
    print(f"left out: {problem}", file=sys.stderr)


def _add_one(corpus: Corpus, index: Path) -> float:
    """Return the median seconds to add one law to the full corpus and its index."""
    update_index(corpus, index)
    took: list[float] = []
    for place in range(5):
        law = tiny_law(f"测试法{place}", {"1": "甲。"}, start=date(2026, 1, 1))
        began = time.perf_counter()
        corpus.add([law])
        update_index(corpus, index)
        took.append(time.perf_counter() - began)
    return sorted(took)[2]


# -- what remains unknown --------------------------------------------------------------------------


def _count(corpus: Corpus, figures: Figures) -> None:
    for work in corpus.titles():
        if work.startswith("测试法"):
            continue
        figures.works += 1
        versions, dating = corpus.versions(work), corpus.dating(work)
        figures.records += len(versions)
        figures.conflicts += len(dating.conflicts)
        figures.missing_texts += len(dating.unheld)
        if not any(version.validity.window for version in versions):
            figures.without_usable.append(f"{work}: {_why_no_end(versions[0])}")
        for version in versions:
            validity = version.validity
            if validity.start is None or validity.start_presumed:
                figures.unknown_starts.append(f"{_named(version)}: {_why_no_start(version)}")
            if validity.status == "unknown":
                figures.unknown_ends.append(f"{_named(version)}: {_why_no_end(version)}")


def _named(version: Version) -> str:
    return f"{version.work} {version.label} ({version.source.name})"


def _why_no_start(version: Version) -> str:
    if version.promulgated is None and not version.history:
        return "neither a header nor a register dates the text"
    if "on promulgation" in version.validity.begins_by:
        return "it began on promulgation, and nobody says on which day it was published"
    amended = any(act.kind in ("amended", "revised") for act in version.history)
    if amended:
        return "amended; nothing held says when the amendment came into force"
    return "its last articles give no day, and no register does"


def _why_no_end(version: Version) -> str:
    if version.note.startswith("source marks this text"):
        return "its source says it is no longer in force; nothing held says what ended it, or when"
    return f"its source says: {version.note or 'nothing'}"


# -- the articles that questions turn on -----------------------------------------------------------


def _questions(corpus: Corpus, path: Path, figures: Figures) -> None:
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    pairs = dict.fromkeys(
        (article["name"].strip(), article["text"])
        for line in lines
        for article in json.loads(line)["articles"]
    )
    figures.pairs = len(pairs)
    for name, text in pairs:
        verdict = _verdict(corpus, name, _plain(text))
        figures.pairs_same += verdict == "same"
        figures.pairs_part += verdict == "part"
        if verdict != "same":
            figures.pairs_other.append(f"{name}: {_EXPLAINED.get(verdict, verdict)}")


_EXPLAINED = {"part": "the question's gold quotes only a part of the article, verbatim"}


def _verdict(corpus: Corpus, name: str, text: str) -> str:
    match = _ARTICLE_NAME.fullmatch(name)
    if match is None:
        return "no article is named"
    try:
        timeline = corpus.timeline(corpus.resolve(match[1]), ProvisionNumber.parse(match[2]))
    except UserError as error:
        return str(error)
    lookup = timeline.version_at(QUESTIONS_ASKED)
    if not lookup.found or lookup.found[0].provision is None:
        return f"{lookup.answer} on {QUESTIONS_ASKED}: {lookup.reason}"
    said = _plain(lookup.found[0].provision.text)
    if said == text:
        return "same"
    if text in said:
        return "part"
    for span in timeline.spans:
        if span.provision and _plain(span.provision.text) == text:
            return f"the gold is the text of other days: {span.window}"
    shown = lookup.found[0].window
    return f"the gold differs from the text in force {shown}: {text[:40]}… / {said[:40]}…"


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _exam(corpus: Corpus, path: Path, figures: Figures) -> None:
    needs: dict[str, bool] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        for provision in (one for group in item["gold"] for one in group):
            answer = _answer(corpus, provision)
            figures.gold += 1
            figures.gold_found += answer == "found"
            if answer != "found":
                figures.gold_other.append(f"{item['id']} {provision}: {answer}")
            if item.get("needs"):
                needs[item["id"]] = needs.get(item["id"], True) and answer == "found"
    figures.needs, figures.needs_found = len(needs), sum(needs.values())


def _answer(corpus: Corpus, provision: dict[str, str]) -> str:
    try:
        work = corpus.resolve(provision["law"])
    except UserError as error:
        return str(error)
    timeline = corpus.timeline(work, ProvisionNumber.parse(provision["article"]))
    lookup = timeline.version_at(date.fromisoformat(provision["on"]))
    return lookup.answer if lookup.found else f"{lookup.answer}: {lookup.reason}"


# -- the days around each change -------------------------------------------------------------------


def _changes(corpus: Corpus, figures: Figures) -> None:
    """Check the days around each change: the old text before it, the new one from that day on."""
    for work in corpus.titles():
        dating = corpus.dating(work)
        held = [edition for edition in dating.editions if _whole(edition)]
        if len(held) < 2:
            continue
        timelines = {timeline.number: timeline for timeline in corpus.timelines(work)}
        for before, after in zip(held, held[1:], strict=False):
            ended = dating.validity[_whole(before)[0].key]
            begun = dating.validity[_whole(after)[0].key]
            if ended.status != "exact" or ended.end != begun.start or begun.start is None:
                continue
            figures.changes += 1
            old, new = _said(corpus, before), _said(corpus, after)
            for offset in (-2, -1, 0, 1, 2):
                day = begun.start + timedelta(days=offset)
                expected = old if offset < 0 else new
                if any(day < (v.start or day) or (v.end and day >= v.end)
                       for v in [ended if offset < 0 else begun]):  # fmt: skip
                    continue  # a text that was in force for a day or two only
                _check(work, day, expected, timelines, figures)


def _whole(edition: Edition) -> list[Version]:
    return [one.version for one in edition.records if one.version.scope is None]


def _said(corpus: Corpus, edition: Edition) -> dict[ProvisionNumber, set[str]]:
    said: dict[ProvisionNumber, set[str]] = {}
    for version in _whole(edition):
        for provision in corpus.provisions(version):
            said.setdefault(provision.number, set()).add(_plain(provision.text))
    return said


def _check(
    work: str,
    day: date,
    expected: dict[ProvisionNumber, set[str]],
    timelines: dict[ProvisionNumber, Timeline],
    figures: Figures,
) -> None:
    for number, timeline in timelines.items():
        figures.days_checked += 1
        found = timeline.version_at(day).found
        text = found[0].provision if found else None
        wanted = expected.get(number)
        right = _plain(text.text) in (wanted or ()) if text else wanted is None
        if not right:
            figures.days_wrong.append(f"{work} {number.short} on {day}")


# -- for a person to read --------------------------------------------------------------------------


def _draw(corpus: Corpus, count: int, seed: int) -> None:
    rows: list[tuple[str, Version]] = []
    for work in corpus.titles():
        for edition in corpus.dating(work).editions:
            rows += [(work, record.version) for record in edition.records[:1]]
    chooser = random.Random(seed)
    dated = {
        version.key: version for work in {w for w, _ in rows} for version in corpus.versions(work)
    }
    usable = [row for row in rows if dated[row[1].key].validity.window]
    closed = [row for row in usable if dated[row[1].key].validity.end]
    for place, (work, version) in enumerate(
        chooser.sample(closed, count // 2) + chooser.sample(usable, count - count // 2), 1
    ):
        validity = dated[version.key].validity
        print(f"{place}. {work} [{version.label}, {version.source.name}]")
        print(f"   {validity.start} to {validity.end} ({validity.status}, {validity.evidence})")
        print(f"   begins: {validity.begins_by}; ends: {validity.ends_by}")
        longest = max(corpus.versions(work), key=lambda one: (len(one.history), one.label))
        print(f"   history of {longest.label}: {'; '.join(map(str, longest.history[-6:]))}")


def _table(figures: Figures) -> str:
    same = figures.pairs_same / max(figures.pairs, 1)
    part = (figures.pairs_same + figures.pairs_part) / max(figures.pairs, 1)
    wrong = Counter(line.split(" ")[0] for line in figures.days_wrong)
    rows = [
        ("loading, seconds", f"{figures.load_s:.1f}", "<= 90"),
        ("peak memory, GB", f"{figures.peak_gb:.2f}", "<= 1"),
        ("corpus on disk, MB", f"{figures.corpus_mb:.0f}", ""),
        ("adding one law to it, with the index, seconds", f"{figures.add_one_s:.2f}", "<= 2"),
        ("laws / records", f"{figures.works} / {figures.records}", ""),
        ("laws without any usable version", f"{len(figures.without_usable)}", "<= 25"),
        ("texts with an unknown end", f"{len(figures.unknown_ends)}", "<= 80"),
        ("texts with an unknown beginning", f"{len(figures.unknown_starts)}", "<= 100"),
        ("texts missing, named by their act", f"{figures.missing_texts}", ""),
        ("conflicts of evidence", f"{figures.conflicts}", ""),
        (f"of {figures.pairs} gold articles, same text", f"{same:.4f}", ">= 0.99"),
        ("  or the part of it that the gold quotes", f"{part:.4f}", ""),
        (f"of {figures.needs} items that need dates, found", f"{figures.needs_found}", "all"),
        (f"of {figures.gold} gold provisions of the exam, found", f"{figures.gold_found}", ""),
        ("changes checked, five days each", f"{figures.changes}", ""),
        ("  article days", f"{figures.days_checked}", ""),
        ("  of them wrong", f"{len(figures.days_wrong)} in {len(wrong)} laws", "0"),
    ]
    lines = [f"{name:<48} {value:>14}  {bar}".rstrip() for name, value, bar in rows]
    return "\n".join(lines)


def _print_lists(figures: Figures) -> None:
    for title, lines in (
        ("laws without any usable version", figures.without_usable),
        ("unknown ends", figures.unknown_ends),
        ("unknown beginnings", figures.unknown_starts),
        ("gold articles not found with the same text", figures.pairs_other),
        ("gold provisions of the exam not found", figures.gold_other),
        ("days that read otherwise", figures.days_wrong[:50]),
    ):
        print(f"\n{title}: {len(lines)}")
        for line in lines:
            print(f"  {line}")


if __name__ == "__main__":
    sys.exit(main())
