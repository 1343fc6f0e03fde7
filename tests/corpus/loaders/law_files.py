"""Small files of every format, built where a test needs them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import docx

from inforce.corpus.loaders import Format, load
from inforce.errors import InputError
from inforce.law.model import VersionText

TINY_LAW = """\
中华人民共和国示例法

（2019年3月15日第十三届全国人民代表大会第二次会议通过
根据2023年5月6日《关于修改示例法的决定》修正）

目　录

第一章　总　则
第二章　附　则

第一章　总　则

　　第一条　为了示范，制定本法。
　　第二条　本法所称示例，包括：
　　（一）长的；
　　（二）短的。
　　前款第二项优先。

第二章　附　则

　　第二条之一　【附带】示例可以附带。
　　第三条　本法自2019年10月1日起施行。
"""

TINY_MARKDOWN = """\
# 中华人民共和国示例法

2019年3月15日 第十三届全国人民代表大会第二次会议通过

<!-- INFO END -->

## 第一编 总则

### 第一章 基本规定

第一条 为了示范，制定本法。

第二条 本法所称示例，包括：

（一）长的；

（二）短的。

## 第二编 分则

### 第一章 示例

第三条 本法自2019年10月1日起施行。
"""


def record(law: str = "示例法", **changes: object) -> dict[str, object]:
    """One JSONL record: a law of two articles in force from 2011-05-01 to 2015-10-31."""
    fields: dict[str, object] = {
        "law": law,
        "version_label": "2011修正",
        "valid_from": "2011-05-01",
        "valid_to": "2015-10-31",
        "valid_to_status": "exact",
        "valid_from_source": "LawRefBook db.sqlite3 (flk)",
        "promulgated": "2011-02-25",
        "articles": [article("第一条", "甲。"), article("第二条", "乙。\n丙。")],
    }
    return fields | changes


def article(number: str, text: str = "条文。", path: str = "第一章 总则") -> dict[str, str]:
    """One article of a record."""
    return {"no": number, "path": path, "text": text}


def jsonl(*records: dict[str, object] | str) -> bytes:
    """Records (or raw lines) as a JSONL file."""
    lines = (
        one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in records
    )
    return "".join(line + "\n" for line in lines).encode()


def word_file(paragraphs: Sequence[str]) -> bytes:
    """A .docx with these paragraphs."""
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def part_of(data: bytes, part: str = "word/document.xml") -> bytes:
    """One part of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(part)


class Loaded:
    """What `load` gave: the versions, and the problems as (line, reason)."""

    def __init__(self, path: Path, *, format: Format | None = None) -> None:
        problems: list[InputError] = []
        self.texts: list[VersionText] = list(load(path, format=format, on_problem=problems.append))
        self.problems: list[InputError] = problems

    @property
    def laws(self) -> list[str]:
        """The titles, in the order they came."""
        return [text.version.work for text in self.texts]

    @property
    def reasons(self) -> list[tuple[int | None, str]]:
        """Line and reason of every problem."""
        return [(problem.line, problem.reason) for problem in self.problems]


def texts_of(text: VersionText) -> dict[str, str]:
    """Article number and wording."""
    return {provision.number.chinese: provision.text for provision in text.provisions}
