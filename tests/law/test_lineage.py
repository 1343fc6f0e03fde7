"""The same provision under other numbers: always with a score, never asserted without one."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.law.alignment import THRESHOLD, Link, Order, align, similarity
from inforce.law.lineage import LineageTracer, counterparts, is_renumbered, lineage_of
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber

EVIDENCE = "对一切案件的判处都要重证据，重调查研究，不轻信口供。"
DEFENCE = "犯罪嫌疑人、被告人除自己行使辩护权以外，还可以委托一至二人作为辩护人。"
ARREST = "逮捕犯罪嫌疑人、被告人，必须经过人民检察院批准或者人民法院决定，由公安机关执行。"
WILLS = (
    "公证遗嘱由遗嘱人经公证机构办理。\n自书遗嘱由遗嘱人亲笔书写，签名，注明年、月、日。\n"
    "代书遗嘱应当有两个以上见证人在场见证，由其中一人代书，注明年、月、日，并由代书人签名。"
)


def law(**articles: str) -> list[Provision]:
    """``law(_1="…", _2_1="…")``: articles 1 and 2-1."""
    numbers = {name: name.strip("_").replace("_", "-") for name in articles}
    return [Provision(ProvisionNumber.parse(numbers[n]), text) for n, text in articles.items()]


def shown(links: tuple[Link, ...]) -> list[tuple[str, str, str]]:
    return [(link.old.short, link.new.short, link.kind) for link in links]


texts = st.text(st.sampled_from("证据辩护逮捕人民法院，。"), max_size=20)
laws = st.lists(texts, max_size=8).map(
    lambda items: [Provision(ProvisionNumber.article(n), t) for n, t in enumerate(items, 1)]
)


@given(old=texts, new=texts)
def test_similarity_is_symmetric_and_between_0_and_1(old: str, new: str) -> None:
    assert similarity(old, new) == similarity(new, old)
    assert 0 <= similarity(old, new) <= 1
    assert similarity(old, old) == 1


def test_punctuation_and_line_breaks_are_no_part_of_the_wording() -> None:
    assert similarity("甲、乙，丙。", "甲，乙\n丙") == 1


@given(old=laws, new=laws, order=st.sampled_from(["kept", "free"]))
def test_every_link_has_a_score_and_no_provision_continues_twice(
    old: list[Provision], new: list[Provision], order: Order
) -> None:
    links = align(old, new, order=order)
    assert list(links) == sorted(links, key=lambda link: (link.old, link.new))
    assert all(0 < link.score <= 1 for link in links)
    main = [link for link in links if link.kind not in ("split", "merged")]
    assert len({link.old for link in main}) == len({link.new for link in main}) == len(main)


@given(items=laws)
def test_a_law_compared_with_itself_links_every_article_to_itself(items: list[Provision]) -> None:
    links = align(items, items)
    readable = {
        p.number for p in items if len(p.text.translate({ord(c): None for c in "，。"})) > 1
    }
    assert {link.old for link in links if link.old == link.new} == readable
    assert all(link.kind == "identical" for link in links if link.old == link.new)


def test_inserted_articles_renumber_what_follows() -> None:
    links = align(law(_1=DEFENCE, _2=EVIDENCE), law(_1=DEFENCE, _2=ARREST, _3=EVIDENCE))
    assert shown(links) == [("1", "1", "identical"), ("2", "3", "renumbered")]
    assert [link.score for link in links] == [1.0, 1.0]


def test_a_repealed_article_has_no_link() -> None:
    assert shown(align(law(_1=DEFENCE, _2=ARREST), law(_1=DEFENCE))) == [("1", "1", "identical")]


def test_an_unchanged_number_carries_a_rewritten_article_within_one_law() -> None:
    old = "管制的期限，为三个月以上二年以下。由公安机关执行。"
    new = "管制的期限可以根据犯罪情况确定，对判处管制的犯罪分子依法实行社区矫正，为三个月以上。"
    assert similarity(old, new) < THRESHOLD
    assert shown(align(law(_38=old), law(_38=new))) == [("38", "38", "amended")]
    assert align(law(_38=old), law(_40=new)) == ()
    assert align(law(_38=old), law(_38=new), order="free") == ()


def test_a_moved_article_is_found_out_of_sequence() -> None:
    links = align(law(_1=DEFENCE, _2=EVIDENCE, _3=ARREST), law(_1=EVIDENCE, _2=ARREST, _3=DEFENCE))
    assert ("1", "3", "renumbered") in shown(links)


def test_order_does_not_matter_between_laws() -> None:
    links = align(law(_1=DEFENCE, _2=EVIDENCE), law(_8=EVIDENCE, _9=DEFENCE), order="free")
    assert shown(links) == [("1", "9", "renumbered"), ("2", "8", "renumbered")]


def test_an_article_divided_into_several_shows_its_parts() -> None:
    first, second, third = WILLS.split("\n")
    links = align(law(_17=WILLS), law(_1134=second, _1135=third, _1139=first), order="free")
    assert shown(links) == [
        ("17", "1134", "split"),
        ("17", "1135", "amended"),
        ("17", "1139", "split"),
    ]


def test_several_articles_joined_into_one_show_where_they_went() -> None:
    first, second, third = WILLS.split("\n")
    links = align(law(_1=first, _2=second, _3=third), law(_17=WILLS), order="free")
    assert {link.kind for link in links if link.old.main < 3} == {"merged"}
    assert all(link.new.main == 17 for link in links)


def test_a_provision_is_followed_through_versions_with_the_product_of_scores() -> None:
    changed = EVIDENCE.replace("判处", "裁判")
    versions = [law(_46=EVIDENCE), law(_53=EVIDENCE), law(_55=changed)]
    lineage = lineage_of(ProvisionNumber.article(46), versions)
    assert [number.short for number in lineage.numbers] == ["46", "53", "55"]
    assert lineage.score == pytest.approx(similarity(EVIDENCE, changed))
    assert lineage.complete


def test_a_trace_that_is_lost_says_so() -> None:
    lineage = lineage_of(
        ProvisionNumber.article(46), [law(_46=EVIDENCE), law(_53=EVIDENCE), law(_1=ARREST)]
    )
    assert [number.short for number in lineage.numbers] == ["46", "53"]
    assert not lineage.complete


def test_a_number_the_first_version_lacks_is_not_traced() -> None:
    lineage = lineage_of(ProvisionNumber.article(99), [law(_46=EVIDENCE), law(_53=EVIDENCE)])
    assert (lineage.numbers, lineage.complete) == ((), False)


# The real statutes.


@pytest.fixture(scope="module")
def statutes(shared_data: Path) -> dict[tuple[str, str], list[Provision]]:
    """The core statutes by short title and first day in force."""
    return dict(_core_statutes(shared_data / "statutes" / "versions.jsonl.gz"))


def _core_statutes(path: Path) -> Iterator[tuple[tuple[str, str], list[Provision]]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record: dict[str, Any] = json.loads(line)
            if record["category"] != "core":
                return
            key = record["law"].removeprefix("中华人民共和国"), record["valid_from"]
            yield (
                key,
                [
                    Provision(ProvisionNumber.parse(item["no"]), item["text"])
                    for item in record["articles"]
                ],
            )


Statutes = dict[tuple[str, str], list[Provision]]
CRIMINAL_PROCEDURE = [("刑事诉讼法", day) for day in ("1997-01-01", "2013-01-01", "2018-10-26")]


@pytest.mark.data
def test_the_rule_on_evidence_is_traced_from_1996_to_2018(statutes: Statutes) -> None:
    versions = [statutes[key] for key in CRIMINAL_PROCEDURE]
    lineage = lineage_of(ProvisionNumber.article(46), versions)
    assert [number.main for number in lineage.numbers] == [46, 53, 55]
    assert lineage.complete
    assert lineage.score >= 0.5


@pytest.mark.data
@pytest.mark.parametrize(
    ("law_title", "since", "successors"),
    [
        ("继承法", "1985-10-01", {19: 1141, 20: 1142, 21: 1144, 22: 1143}),
        ("婚姻法", "2001-04-28", {17: 1062, 18: 1063, 19: 1065, 32: 1079}),
        ("合同法", "1999-10-01", {60: 509, 113: 584, 114: 585}),
    ],
)
def test_provisions_of_repealed_laws_are_found_in_the_civil_code(
    statutes: Statutes, law_title: str, since: str, successors: dict[int, int]
) -> None:
    links = align(statutes[law_title, since], statutes["民法典", "2021-01-01"], order="free")
    found = {link.old.main: link.new.main for link in links if link.kind != "split"}
    assert {old: found.get(old) for old in successors} == successors
    assert min(link.score for link in links) >= THRESHOLD


@pytest.mark.data
def test_the_article_on_forms_of_wills_was_divided(statutes: Statutes) -> None:
    links = align(statutes["继承法", "1985-10-01"], statutes["民法典", "2021-01-01"], order="free")
    parts = {link.new.main for link in links if link.old.main == 17}
    assert parts == {1134, 1135, 1138, 1139}


@pytest.mark.data
def test_every_link_within_the_criminal_law_keeps_its_number(statutes: Statutes) -> None:
    """刑法 has never been renumbered, so its numbers are the truth about its amended articles."""
    links = align(statutes["刑法", "1997-10-01"], statutes["刑法", "2024-03-01"])
    assert len(links) > 440
    assert [link for link in links if link.old != link.new] == []


@pytest.mark.data
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("刑事诉讼法", "1997-01-01"), ("刑事诉讼法", "2013-01-01")),
        (("刑事诉讼法", "2013-01-01"), ("刑事诉讼法", "2018-10-26")),
        (("民事诉讼法", "2008-04-01"), ("民事诉讼法", "2013-01-01")),
        (("民事诉讼法", "2022-01-01"), ("民事诉讼法", "2024-01-01")),
    ],
    ids=str,
)
def test_what_kept_its_wording_is_found_again(
    statutes: Statutes, old: tuple[str, str], new: tuple[str, str]
) -> None:
    """A wording that occurs once in both versions is one provision: ground truth for free."""
    before, after = statutes[old], statutes[new]
    once = _unique(before).keys() & _unique(after).keys()
    truth = {(_unique(before)[text], _unique(after)[text]) for text in once}
    found = {(link.old, link.new) for link in align(before, after)}
    assert len(truth) > 100
    assert truth <= found


def _unique(provisions: list[Provision]) -> dict[str, ProvisionNumber]:
    counts = Counter(provision.text for provision in provisions)
    return {p.text: p.number for p in provisions if counts[p.text] == 1}


OTHER_CRIME = "盗窃公私财物，数额较大的，处三年以下有期徒刑、拘役或者管制，并处或者单处罚金。"
CRIME = "诈骗公私财物，数额较大的，处三年以下有期徒刑、拘役或者管制，并处或者单处罚金。"
FRAUD_ANEW = "骗取他人钱款的，依照其情节处罚。"


def test_a_law_in_which_what_stayed_kept_its_number_was_not_renumbered() -> None:
    old = law(_1=EVIDENCE, _2=DEFENCE, _3=CRIME)
    assert not is_renumbered(old, law(_1=EVIDENCE, _2=DEFENCE, _2_1=ARREST, _3=FRAUD_ANEW))
    assert is_renumbered(old, law(_1=EVIDENCE, _2=ARREST, _3=DEFENCE, _4=CRIME))


def test_in_a_law_that_was_not_renumbered_the_number_is_the_rule() -> None:
    old = law(_1=EVIDENCE, _2=DEFENCE, _3=CRIME)
    new = law(_1=EVIDENCE, _2=DEFENCE, _3=FRAUD_ANEW, _4=OTHER_CRIME)
    [link] = counterparts(ProvisionNumber.article(3), old, new)
    assert (link.new.short, link.kind) == ("3", "amended")
    assert link.score < THRESHOLD
    assert LineageTracer([old, new]).follow(ProvisionNumber.article(3), range(2)).numbers == ()
    gone = law(_1=EVIDENCE, _2=DEFENCE, _4=OTHER_CRIME)
    assert counterparts(ProvisionNumber.article(3), old, gone) == ()


def test_in_a_renumbered_law_the_rule_is_sought_between_its_neighbours() -> None:
    old = law(_1=EVIDENCE, _2=WILLS, _3=DEFENCE)
    new = law(_1=ARREST, _2=EVIDENCE, _3=f"{WILLS}\n打印遗嘱应当有两个以上见证人。", _4=DEFENCE)
    [link] = counterparts(ProvisionNumber.article(2), old, new)
    assert (link.new.short, link.kind) == ("3", "amended")
    [back] = counterparts(ProvisionNumber.article(3), new, old)
    assert back.new.short == "2"
    assert counterparts(ProvisionNumber.article(1), new, old) == ()


@pytest.mark.data
def test_no_wording_of_the_criminal_law_is_followed_to_another_number(
    statutes: dict[tuple[str, str], list[Provision]],
) -> None:
    editions = sorted(since for name, since in statutes if name == "刑法")
    texts = [statutes["刑法", since] for since in editions]
    for old, new in itertools.pairwise(texts):
        assert not is_renumbered(old, new)
    first, last = texts[0], texts[-1]
    for one in first:
        assert {link.new for link in counterparts(one.number, first, last)} <= {one.number}


@pytest.mark.data
def test_the_counterpart_agrees_with_the_whole_alignment_where_the_wording_stayed(
    statutes: dict[tuple[str, str], list[Provision]],
) -> None:
    [old, *_, new] = [statutes[key] for key in sorted(statutes) if key[0] == "民事诉讼法"]
    kept = [link for link in align(old, new) if link.kind in ("identical", "renumbered")]
    found = {link.old: counterparts(link.old, old, new)[0].new for link in kept[::5]}
    wrong = [link for link in kept[::5] if found[link.old] != link.new]
    assert len(wrong) <= len(found) // 20
