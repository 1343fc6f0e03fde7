"""Decisions over many laws, as every body that makes them drafts them; one law is ours."""

from __future__ import annotations

from datetime import date

from compile_world import LIST, PROVISO, TWO, articles, compiled, plain, refusals, ten_articles

TITLE = "灯塔管理条例"
BASE = ten_articles(title=TITLE)


def amended(text: str, *, count: int = 10) -> dict[str, str]:
    """The law after a decision of which every clause was applied."""
    compilation = compiled(BASE, text)
    assert refusals(compilation) == []
    assert compilation.unapplied == ()
    found = articles(compilation)
    assert len(found) == count
    return found


COUNCIL = """\
国务院关于修改部分行政法规的决定
（2016年1月13日国务院第119次常务会议通过 2016年2月6日国务院令第666号公布 自公布之日起施行）
为了依法推进简政放权、放管结合、优化服务改革，国务院对取消和调整行政审批项目涉及的行政法规进行了清理。经过清理，国务院决定：对3部行政法规的部分条款予以修改。
一、删去《计量细则》第十六条中的“后方可申请办理营业执照”。
第二十九条第一款中的“甲”修改为“乙”。
二、将《灯塔管理条例》第五条第一款中的“县级”修改为“县级以上”；第二款修改为：“具体办法另行制定。”
删去第九条。
第十条改为第九条，修改为：“第十号灯塔归国家。”
三、将《航标条例》第三条修改为：“航标应当明亮。
“航标应当坚固。”
本决定自公布之日起施行。
"""


def test_the_state_council_amends_some_regulations_each_in_a_point_of_its_own() -> None:
    found = amended(COUNCIL, count=9)
    assert found["5"] == "灯塔由县级以上人民政府管理。\n具体办法另行制定。"
    assert found["9"] == "第十号灯塔归国家。"


COUNCIL_WITH_ANNEXES = """\
国务院关于修改和废止部分行政法规的决定
（2020年3月27日中华人民共和国国务院令第726号公布）
为了全面推进依法行政，国务院决定：
一、对2部行政法规的部分条款予以修改。（附件1）
二、对1部行政法规予以废止。（附件2）
本决定自公布之日起施行。
附件：1.国务院决定修改的行政法规
2.国务院决定废止的行政法规
附件1
国务院决定修改的行政法规
一、删去《航标条例》第三条第二款。
二、将《灯塔管理条例》第二条、第四条、第六条中的“管理人”修改为“看守人”。
第五条第一款中的“县级”后增加“以上”。
增加一条，作为第八条：“灯塔禁止攀登。”
第九条改为第十条，并将其中的“管理人”修改为“看守人”。
对相关行政法规中的条文序号作相应调整。
附件2
国务院决定废止的行政法规
一、旧航标条例（1980年1月1日国务院发布）
"""


def test_what_is_amended_and_what_is_repealed_stands_in_annexes() -> None:
    found = amended(COUNCIL_WITH_ANNEXES, count=11)
    assert found["2"] == "第2号灯塔由看守人看守。"
    assert found["5"] == "灯塔由县级以上人民政府管理。\n具体办法由交通部门制定。"
    assert found["8"] == "灯塔禁止攀登。"
    assert found["9"] == plain(8)
    assert found["10"] == "第9号灯塔由看守人看守。"
    assert found["11"] == plain(10)


def test_a_regulation_in_the_annex_of_repeals_ends_and_has_no_version() -> None:
    text = COUNCIL_WITH_ANNEXES.replace("旧航标条例（1980", "《灯塔管理条例》（1980")
    text = text.replace("将《灯塔管理条例》第二条", "将《渔港条例》第二条")
    compilation = compiled(BASE, text)
    assert compilation.repealed is not None
    assert compilation.repealed.day == date(2020, 3, 27)


PROVINCE = """\
海州省人民代表大会常务委员会关于修改《海州省航标条例》等三件地方性法规的决定
（2022年9月28日海州省第十三届人民代表大会常务委员会第三十次会议通过）
海州省第十三届人民代表大会常务委员会第三十次会议决定：
一、对《海州省航标条例》作出修改
（一）将第三条修改为：“航标归省管理。”
（二）删去第四条。
二、对《灯塔管理条例》作出修改
（一）将第二条中的“管理人”修改为“看守人”。
（二）第三条第一款第（二）项修改为：“（二）值夜；”。
（三）将第八条修改为两条，作为第八条、第九条，修改为：
“第八条　甲。
“第九条　乙。”
三、《海州省港口条例》
1.第一条修改为：“港口。”
此外，对条文顺序和个别文字作相应调整和修改。
本决定自2022年11月1日起施行。
《海州省航标条例》《灯塔管理条例》《海州省港口条例》根据本决定作相应修改，重新公布。
"""


def test_a_local_congress_amends_three_regulations() -> None:
    found = amended(PROVINCE, count=11)
    assert found["2"] == "第2号灯塔由看守人看守。"
    assert found["3"] == LIST.replace("守夜", "值夜")
    assert (found["8"], found["9"], found["10"]) == ("甲。", "乙。", plain(9))


PROVINCE_2010 = """\
海州省人民代表大会常务委员会关于修改部分地方性法规的决定
海州省第十一届人民代表大会常务委员会第十七次会议决定，修改下列地方性法规：
（2010年9月29日海州省第十一届人民代表大会常务委员会第十七次会议通过）
一、对下列明显不适应经济社会发展要求和我省实际的法规进行修改
1.在《海州省农村能源条例》第七条中增加一项作为第六项，即:“负责节能；”
第九条修改为：“能源。”
2.将《灯塔管理条例》第三条第一款第三项修改为：“登记”；
第五条增加一款作为该条第三款，即：“灯塔免税。”
第六条后增加一条作为第七条，即：“鼓励建塔。”
二、对下列法规中引用的法律名称进行修改
（一）将下列法规中的“管理人”修改为“看守人”：
3.《海州省航标条例》第二条；
4.《灯塔管理条例》第二条、第十条。
本决定自2010年10月1日起施行。
"""


def test_a_local_congress_amends_by_groups_and_lists_laws_below_a_sentence() -> None:
    found = amended(PROVINCE_2010, count=11)
    assert found["2"] == "第2号灯塔由看守人看守。"
    assert found["3"] == LIST.replace("记录", "登记")
    assert found["5"] == TWO + "\n灯塔免税。"
    assert found["7"] == "鼓励建塔。"
    assert found["11"] == "第10号灯塔由看守人看守。"


COURT = """\
最高人民法院关于修改《灯塔管理条例》的决定
（2021年3月1日最高人民法院审判委员会第1833次会议通过，自2021年4月1日起施行）
根据审判实践需要，经最高人民法院审判委员会第1833次会议决定，对《灯塔管理条例》（法释〔2015〕11号，以下简称《条例》）作如下修改：
一、将《条例》名称修改为：
“灯塔条例”
二、将《条例》第一条修改为：
“第一号。”
三、删除《条例》第二条、第四条。
四、在《条例》第六条后增加一条，作为修改后《条例》第五条：“新。”
五、将《条例》的条文顺序作相应调整。
本决定自2021年4月1日起施行。
"""


def test_the_court_uses_short_names_and_numbers_of_the_amended_text() -> None:
    compilation = compiled(BASE, COURT)
    assert refusals(compilation) == []
    found = articles(compilation)
    assert compilation.versions[-1].text.version.work == "灯塔条例"
    assert found["1"] == "第一号。"
    assert found["2"] == LIST
    assert (found["4"], found["5"], found["6"]) == (plain(6), "新。", PROVISO)
    assert len(found) == 9


STANDING_COMMITTEE = """\
全国人民代表大会常务委员会关于修改《中华人民共和国航标法》等二部法律的决定
（2018年10月26日第十三届全国人民代表大会常务委员会第六次会议通过）
第十三届全国人民代表大会常务委员会第六次会议决定：
一、对《中华人民共和国航标法》作出修改
（一）将第二条修改为：“航标。”
（二）增加一条，作为第三条：“航标员。”
二、对《灯塔管理条例》作出修改
将第二条、第六条中的“管理人”修改为“看守人”。
删去第三条第二款。
本决定自公布之日起施行。
《中华人民共和国航标法》根据本决定作相应修改并对条文顺序作相应调整，《灯塔管理条例》根据本决定作相应修改，重新公布。
"""


def test_the_standing_committee_amends_two_laws_and_renumbers_only_one() -> None:
    found = amended(STANDING_COMMITTEE)
    assert found["2"] == "第2号灯塔由看守人看守。"
    assert found["3"] == LIST.split("\n违反")[0]


WORDS_IN_MANY_LAWS = """\
全国人民代表大会常务委员会关于修改部分法律的决定
（2009年8月27日第十一届全国人民代表大会常务委员会第十次会议通过）
第十一届全国人民代表大会常务委员会第十次会议决定：
一、对下列法律中明显不适应社会主义市场经济和社会发展要求的规定作出修改
1.将《中华人民共和国民法通则》第七条修改为：“民事活动应当尊重社会公德。”
删去第五十八条第一款第六项。
二、对下列法律和法律解释中关于“征用”的规定作出修改
（一）将下列法律和法律解释中的“管理人”修改为“看守人、管理人”
2.《中华人民共和国森林法》第十八条
3.《灯塔管理条例》第二条、第四条第一款
（二）将下列法律中的“县级”修改为“市级”
4.《灯塔管理条例》第五条第一款
三、对下列法律中引用其他法律名称或者条文不对应的规定作出修改
5.将《灯塔管理条例》第七条中的“法律”修改为“行政法规”。
本决定自公布之日起施行。
"""


def test_one_word_is_changed_in_the_listed_articles_of_many_laws() -> None:
    found = amended(WORDS_IN_MANY_LAWS)
    assert found["2"] == "第2号灯塔由看守人、管理人看守。"
    assert found["4"] == "第4号灯塔由看守人、管理人看守。"
    assert found["5"] == TWO.replace("县级", "市级")
    assert found["7"] == PROVISO.replace("法律", "行政法规")
    assert found["6"] == plain(6)


def test_what_is_said_of_a_list_is_said_of_the_lists_within_it() -> None:
    text = WORDS_IN_MANY_LAWS.replace(
        "3.《灯塔管理条例》第二条、第四条第一款",
        "3.《灯塔管理条例》第二条\n（1）《灯塔管理条例》第四条第一款",
    )
    found = amended(text)
    assert found["2"] == "第2号灯塔由看守人、管理人看守。"
    assert found["4"] == "第4号灯塔由看守人、管理人看守。"


PARTS = """\
国务院关于修改《灯塔管理条例》的决定
（2020年1月1日国务院令第1号公布）
国务院决定对《灯塔管理条例》作如下修改：
一、将第一条修改为：“甲。”
二、增加一条，作为第二条：“乙。”
三、将第五条第一款修改为：“丙。”
本决定第一条、第三条自公布之日起施行，第二条自2021年1月1日起施行。
"""


def test_parts_of_a_decision_have_days_of_their_own() -> None:
    compilation = compiled(BASE, PARTS)
    assert refusals(compilation) == []
    first, second = compilation.versions
    assert (first.day, second.day) == (date(2020, 1, 1), date(2021, 1, 1))
    texts = [{one.number.short: one.text for one in v.text.provisions} for v in (first, second)]
    assert texts[0]["1"] == texts[1]["1"] == "甲。"
    assert (texts[0]["2"], texts[1]["2"], texts[1]["3"]) == (plain(2), "乙。", plain(2))
    assert texts[0]["5"] == "丙。\n具体办法由交通部门制定。"
    assert first.text.version.validity.end == second.day


def test_numbers_that_only_fit_once_a_later_part_is_in_force_are_refused() -> None:
    text = PARTS.replace("将第五条第一款修改为", "将第五条改为第六条，第一款修改为")
    compilation = compiled(BASE, text)
    assert compilation.versions == ()
    assert "the numbers said do not fit" in compilation.unapplied[0].reason


WITH_TABLES = """\
全国人民代表大会常务委员会关于修改《灯塔管理条例》的决定
（2011年6月30日第十一届全国人民代表大会常务委员会第二十一次会议通过）
第十一届全国人民代表大会常务委员会第二十一次会议决定对《灯塔管理条例》作如下修改：
一、第三条第一款第一项修改为：“点亮灯。”
二、第五条第一款修改为：“灯塔由国家管理。”
三、第七条中的“责令”修改为“命令”。
四、灯塔税率表一（管理人适用）修改为：
级数 全月 税率（%）
1 不超过1500元的 3
2 超过1500元至4500元的部分 10
五、灯塔税率表二修改为：
级数 全年 税率
1 不超过15000元的 5
（注：本表所称…。）
本决定自2011年9月1日起施行。
《灯塔管理条例》根据本决定作相应修改，重新公布。
"""


def test_a_table_is_noted_and_what_stands_around_it_is_applied() -> None:
    compilation = compiled(BASE, WITH_TABLES)
    assert refusals(compilation) == []
    version = compilation.versions[-1]
    assert [one.status for one in version.outcomes].count("noted") == 2
    assert "级数 全月 税率（%）" in dict(version.annexes)["灯塔税率表一"]
    found = articles(compilation)
    assert found["3"] == LIST.replace("点灯；", "点亮灯。")
    assert found["7"] == PROVISO.replace("责令", "命令")


COMPOUNDS = """\
全国人民代表大会常务委员会关于修改《灯塔管理条例》的决定
（2020年1月1日第十三届全国人民代表大会常务委员会第二十一次会议通过）
全国人民代表大会常务委员会决定对《灯塔管理条例》作如下修改：
一、第二条、第四条中“管理人”修改为“看守人”。
二、第三条第二款修改为：“违反前款规定，有下列情形之一的，处以罚款：
“（一）熄灯的；
“（二）睡觉的。”
增加一款，作为第三款：“处罚由县级人民政府决定。”
三、第五条第二款改为第四款，增加二款，分别作为第二款、第三款：“甲。
“乙。”
四、将第七条分为两款，修改为：“任何人不得损毁灯塔。
“有前款行为的，责令改正。”
五、将第八条、第九条、第十条修改为：
“第八条　八。
“第九条　九。
“第十条　十。
“十之二款。”
六、第一条修改为“灯塔法制定目的。”作为第一款，增加一款作为第二款：“本法适用于海域。”
本决定自公布之日起施行。
"""


def test_a_decision_of_compounds() -> None:
    found = amended(COMPOUNDS)
    assert found["1"] == "灯塔法制定目的。\n本法适用于海域。"
    assert found["3"] == (
        "灯塔管理人应当：\n（一）点灯；\n（二）守夜；\n（三）记录。\n"
        "违反前款规定，有下列情形之一的，处以罚款：\n（一）熄灯的；\n（二）睡觉的。\n"
        "处罚由县级人民政府决定。"
    )
    assert found["5"] == "灯塔由县级人民政府管理。\n甲。\n乙。\n具体办法由交通部门制定。"
    assert found["7"] == "任何人不得损毁灯塔。\n有前款行为的，责令改正。"
    assert found["10"] == "十。\n十之二款。"


REPEAL = """\
全国人民代表大会常务委员会关于废止《灯塔管理条例》的决定
（2020年1月1日第十三届全国人民代表大会常务委员会第二十一次会议通过）
第十三届全国人民代表大会常务委员会决定：废止《灯塔管理条例》。
本决定自公布之日起施行。
"""


def test_one_law_of_many_has_a_day_of_its_own() -> None:
    text = STANDING_COMMITTEE.replace(
        "本决定自公布之日起施行。",
        "《灯塔管理条例》的修改条款自2019年11月1日起施行，其他法律的修改条款自本决定公布之日起施行。",
    )
    assert [one.day for one in compiled(BASE, text).versions] == [date(2019, 11, 1)]
    other = text.replace("《灯塔管理条例》的修改条款", "《中华人民共和国航标法》的修改条款")
    assert [one.day for one in compiled(BASE, other).versions] == [date(2018, 10, 26)]


def test_one_item_of_a_point_has_a_day_of_its_own() -> None:
    text = PROVINCE.replace(
        "本决定自2022年11月1日起施行。",
        "本决定自2022年11月1日起施行，其中第二条第（二）项自2023年1月1日起施行。",
    )
    compilation = compiled(BASE, text)
    assert [one.day for one in compilation.versions] == [date(2022, 11, 1), date(2023, 1, 1)]
    first, second = (
        {o.number.short: o.text for o in v.text.provisions} for v in compilation.versions
    )
    assert (first["3"], second["3"]) == (LIST, LIST.replace("守夜", "值夜"))
    assert first["2"] == second["2"] == "第2号灯塔由看守人看守。"


def test_a_law_is_repealed() -> None:
    compilation = compiled(BASE, REPEAL)
    assert compilation.versions == () and compilation.unapplied == ()
    assert compilation.repealed is not None
    assert compilation.repealed.day == date(2020, 1, 1)


def test_a_decision_on_other_laws_changes_nothing() -> None:
    compilation = compiled(BASE, COUNCIL.replace("灯塔管理条例", "渔港管理条例"))
    assert compilation.versions == () and compilation.unapplied == ()
