"""A double of the national register: answers in its forms, over a real socket."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import docx

from json_service import Answer, Asked, JsonService

OLD_WORDS = "明灯管理人应当守夜。"
NEW_WORDS = "明灯管理人应当守夜，并作记录。"


def law_file(title: str, header: Sequence[str], articles: Sequence[str]) -> bytes:
    """A Word file as the register hands it out."""
    document = docx.Document()
    for line in (title, *header, *articles):
        document.add_paragraph(line)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@dataclass
class RegisteredText:
    """A text the register has."""

    key: str
    title: str
    promulgated: str
    commenced: str
    state: int
    words: str
    header: tuple[str, ...]
    versions: tuple[str, ...] = ()

    @property
    def row(self) -> dict[str, Any]:
        return {
            "bbbs": self.key,
            "title": self.title,
            "gbrq": self.promulgated,
            "sxrq": self.commenced,
            "sxx": self.state,
            "zdjgName": "全国人民代表大会常务委员会",
            "flxz": "法律",
            "score": 1.5,
        }

    @property
    def file(self) -> bytes:
        articles = (
            f"第一条　{self.words}",
            "第二条　灯油由国家供给。",
            "第三条　本法自2001年1月1日起施行。",
        )
        return law_file(self.title, self.header, articles)


FIRST = "（2000年10月31日第九届全国人民代表大会常务委员会第十八次会议通过）"
LAMPS_OLD = RegisteredText(
    "0a1b2c3d4e5f60718293a4b5c6d7e8f0",
    "中华人民共和国明灯法",
    "2000-10-31",
    "2001-01-01",
    2,
    OLD_WORDS,
    (FIRST,),
)
LAMPS = RegisteredText(
    "ff80818181cdceb30181d801c31c4070",
    "中华人民共和国明灯法",
    "2020-12-26",
    "2021-03-01",
    3,
    NEW_WORDS,
    (
        f"{FIRST[:-1]}　根据2020年12月26日第十三届全国人民代表大会常务委员会第二十四次会议"
        "《关于修改〈中华人民共和国明灯法〉的决定》修正）",
    ),
    (LAMPS_OLD.key,),
)
TOWERS = RegisteredText(
    "2c909fdd678bf17901678bf74d7106b3",
    "中华人民共和国灯塔法",
    "2019-01-01",
    "2019-03-01",
    3,
    "灯塔归国家所有。",
    ("（2018年12月29日第十三届全国人民代表大会常务委员会第七次会议通过）",),
)


@dataclass
class RegisterDouble:
    """Which texts there are, and which answers come out otherwise."""

    texts: list[RegisteredText] = field(default_factory=lambda: [LAMPS, TOWERS])
    unlisted: list[RegisteredText] = field(default_factory=lambda: [LAMPS_OLD])
    """Texts that only the list of versions of another one names."""
    changed: dict[str, Callable[[dict[str, Any]], Any]] = field(
        default_factory=dict[str, Callable[[dict[str, Any]], Any]]
    )
    """By the last word of a path: what becomes of its answer."""
    robots: str = ""
    fails: dict[str, Answer] = field(default_factory=dict[str, Answer])
    page_size: int = 20

    def reply(self, asked: Asked) -> Answer:
        name = asked.path.rpartition("/")[2]
        if name == "robots.txt":
            return Answer(body=self.robots.encode()) if self.robots else Answer({}, 404)
        if (failing := self.fails.pop(name, None)) is not None:
            return failing
        if name.endswith(".docx"):
            content = self.known[name.removesuffix(".docx")].file
            return Answer(body=content, headers={"Content-Type": "application/octet-stream"})
        data = self.answer(name, asked)
        return Answer(self.changed[name](data) if name in self.changed else data)

    @property
    def known(self) -> Mapping[str, RegisteredText]:
        return {one.key: one for one in (*self.texts, *self.unlisted)}

    def answer(self, name: str, asked: Asked) -> dict[str, Any]:
        if name == "list":
            wanted = [one for one in self.texts if asked.json["searchContent"] in one.title]
            first = (asked.json["pageNum"] - 1) * self.page_size
            rows = [
                {**one.row, "title": f'<em class="highlight">{one.title[:2]}</em>{one.title[2:]}'}
                for one in wanted[first : first + self.page_size]
            ]
            return {"code": 200, "msg": "查询成功", "total": len(wanted), "rows": rows}
        text = self.known[asked.parameters["bbbs"]]
        if name == "flfgDetails":
            versions = [self.known[key].row for key in text.versions]
            return {"code": 200, "data": {**text.row, "lsyg": versions or None, "ossFile": {}}}
        assert asked.parameters["format"] == "docx"
        url = f"http://{asked.headers['host']}/files/{text.key}.docx?Signature=secret"
        return {"code": 200, "data": {"url": url}}


def serving(double: RegisterDouble) -> JsonService:
    """A server that answers as the double does."""
    service = JsonService()
    service.reply = double.reply
    return service
