"""Small laws and decisions of our own, in the official manner, for the compiler's tests."""

from __future__ import annotations

from datetime import date

from inforce.corpus.compile.compiling import compile_law
from inforce.corpus.compile.instrument import Instrument, read_instruments, unmarked
from inforce.corpus.compile.versions import Compilation
from inforce.corpus.loaders.statute_text import text_lines
from inforce.law.model import Provision, Source, Validity, Version, VersionText
from inforce.law.numerals import ProvisionNumber, format_numeral

TITLE = "中华人民共和国灯塔管理法"


def law(
    articles: dict[str, str],
    *,
    title: str = TITLE,
    paths: dict[str, str] | None = None,
    holes: tuple[str, ...] = (),
    start: date = date(2000, 1, 1),
) -> VersionText:
    """A version; keys are numbers as people type them (3, 3-1, 序, 一、)."""
    provisions = [
        Provision(ProvisionNumber.parse(number), text, (paths or {}).get(number, ""))
        for number, text in articles.items()
    ]
    version = Version(
        title,
        start.isoformat(),
        Validity(start, None, "open", "instrument"),
        holes=frozenset(map(ProvisionNumber.parse, holes)),
        source=Source("test"),
    )
    return VersionText(version, tuple(sorted(provisions, key=lambda one: one.number)))


LIST = "灯塔管理人应当：\n（一）点灯；\n（二）守夜；\n（三）记录。\n违反前款规定的，处以罚款。"
TWO = "灯塔由县级人民政府管理。\n具体办法由交通部门制定。"
PROVISO = "任何人不得损毁灯塔，但是法律另有规定的除外。有前款行为的，责令改正。"


def plain(number: int) -> str:
    return f"第{number}号灯塔由管理人看守。"


def ten_articles(*, title: str = TITLE) -> VersionText:
    """A law of ten articles in two chapters; 3, 5 and 7 have items, paragraphs and a proviso."""
    texts = {str(number): plain(number) for number in range(1, 11)}
    paths = {number: "第一章 总则" if int(number) < 5 else "第二章 管理" for number in texts}
    return law(texts | {"3": LIST, "5": TWO, "7": PROVISO}, title=title, paths=paths)


def instruments(text: str) -> tuple[Instrument, ...]:
    """The instruments in a text."""
    return read_instruments(unmarked(text_lines(text)), name="test")


def decision(*points: str, title: str = TITLE, closing: str = "", reorder: bool = True) -> str:
    """A decision of the Standing Committee with these points, numbered 一、二、…"""
    body = "\n".join(f"{format_numeral(index)}、{point}" for index, point in enumerate(points, 1))
    order = "并对条文顺序作相应调整" if reorder else ""
    return (
        f"全国人民代表大会常务委员会关于修改《{title}》的决定\n"
        "（2020年6月1日第十三届全国人民代表大会常务委员会第二十次会议通过）\n"
        f"第十三届全国人民代表大会常务委员会第二十次会议决定对《{title}》作如下修改：\n"
        f"{body}\n{closing}"
        "本决定自2020年7月1日起施行。\n"
        f"《{title}》根据本决定作相应修改{order}，重新公布。\n"
    )


def compiled(
    base: VersionText, *texts: str, republished: tuple[VersionText, ...] = ()
) -> Compilation:
    """The law compiled with the instruments in these texts."""
    found = [one for text in texts for one in instruments(text)]
    return compile_law(base, found, republished=republished)


def articles(compilation: Compilation) -> dict[str, str]:
    """The last version's articles, by their numbers as people type them."""
    text = compilation.versions[-1].text
    return {one.number.short: one.text for one in text.provisions}


def refusals(compilation: Compilation) -> list[str]:
    """Why clauses were refused."""
    return [one.reason for one in compilation.outcomes if one.status in ("refused", "failed")]
