"""Write ``examples/brief.docx``: a legal opinion with ten citations, four of them wrong in time.

    python recipes/example_brief.py

`inforce verify examples/brief.docx` finds the four; `docs/verify.md` shows it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import docx

PATH = Path(__file__).resolve().parents[1] / "examples" / "brief.docx"

PARTS = (
    (
        "一、盗窃与缓刑",
        "2010年6月1日，被告人王某盗窃公私财物，数额较大，应依照《中华人民共和国刑法》第二百六十四条处罚。",
        "王某曾因故意犯罪被判处有期徒刑。辩护人引用《刑法》第七十四条：“对于累犯和犯罪集团的首要分子，不适用缓刑。”"
        "上述盗窃发生于2010年6月1日。",
    ),
    (
        "二、醉酒驾驶",
        "2010年8月15日，王某醉酒驾驶机动车，控方主张依照《刑法》第一百三十三条之一以危险驾驶论处。",
        "2016年5月1日，王某再次醉酒驾驶。《刑法》第一百三十三条之一第一款规定：“在道路上驾驶机动车，"
        "有下列情形之一的，处拘役，并处罚金：……（二）醉酒驾驶机动车的”。",
    ),
    (
        "三、证据",
        "本案于2019年3月12日开庭审理。《刑事诉讼法》第五十三条规定：“对一切案件的判处都要重证据，"
        "重调查研究，不轻信口供。”",
        "2019年3月12日开庭审理时，辩护人还援引了《刑事诉讼法》第五十六条，请求排除非法证据。",
    ),
    (
        "四、遗嘱",
        "李某于2018年5月3日去世。“自书、代书、录音、口头遗嘱，不得撤销、变更公证遗嘱”（《继承法》第二十条）。",
        "其妻于2022年5月6日去世，适用《民法典》第一千一百四十二条，立有数份遗嘱，内容相抵触的，以最后的遗嘱为准。",
    ),
    (
        "五、劳务派遣",
        "2015年4月1日，某派遣公司与陈某签订劳动合同。《劳动合同法》第五十七条规定，劳务派遣单位"
        "“应当依照公司法的有关规定设立，注册资本不得少于五十万元”。",
        "2015年4月1日所签合同约定的岗位，依照《劳动合同法》第六十六条应当是临时性、辅助性或者替代性的。",
    ),
)


def main() -> None:
    """Write the file; the same bytes each time but for the archive's own time stamps."""
    document = docx.Document()
    document.core_properties.author = "inforce"
    document.core_properties.created = datetime(2026, 11, 20, tzinfo=UTC).replace(tzinfo=None)
    document.add_heading("法律意见书", 0)
    for heading, *paragraphs in PARTS:
        document.add_heading(heading, 1)
        for words in paragraphs:
            document.add_paragraph(words)
    document.save(str(PATH))


if __name__ == "__main__":
    main()
