"""What a script relies on: one JSON document, whatever happens, and a status that says the kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import InProcess

WILLS = "一对夫妻2001年立自书遗嘱，2002年立公证遗嘱，2004年又立录音遗嘱，应按哪份遗嘱继承？"

ANSWERS = [
    (0, ["at", "刑法", "74", "--on", "2010-06-01"]),
    (0, ["at", "Criminal Law", "第一百三十三条之一", "--on", "2015年11月"]),
    (0, ["at", "刑法", "74"]),
    (3, ["at", "刑法", "133-1", "--on", "2011-04-30"]),
    (3, ["at", "继承法", "20", "--on", "2021-01-01"]),
    (3, ["at", "民法典", "1142", "--on", "2020-12-31"]),
    (3, ["at", "刑法", "74", "--on", "1950"]),
    (5, ["at", "刑法", "3", "--on", "2010-06-01"]),
    (5, ["at", "刑法", "74", "--on", "1990-01-01"]),
    (0, ["history", "刑法", "133-1"]),
    (5, ["history", "刑法", "9999"]),
    (0, ["diff", "刑法", "74", "--from", "2010-06-01", "--to", "2011-05-01"]),
    (3, ["diff", "刑法", "133-1", "--from", "2010", "--to", "2012"]),
    (5, ["diff", "刑法", "3", "--from", "2010", "--to", "2012"]),
    (0, ["search", "累犯 缓刑", "--as-of", "2010-06-01", "-k", "2"]),
    (0, ["search", "缓刑", "--any-date"]),
    (4, ["search", "qwerty"]),
    (0, ["ask", WILLS]),
    (3, ["ask", "2009年醉酒驾驶机动车怎么处罚"]),
    (4, ["ask", "怎么做红烧肉"]),
    (5, ["ask", "《海商法》第十条2015年怎么规定？"]),
    (5, ["ask", "2015年刑法第三条怎么规定？"]),
    (0, ["corpus", "list"]),
    (0, ["corpus", "doctor"]),
    (0, ["corpus", "doctor", "刑法", "--fail-over", "gaps=0"]),
    (0, ["corpus", "doctor", "--fail-over", "captions_without_article=0"]),
    (0, ["corpus", "index"]),
]

MISTAKES = [
    (2, "usage", ["at"]),
    (2, "usage", ["at", "刑法"]),
    (2, "usage", ["at", "刑法", "74", "--when", "2010"]),
    (2, "usage", ["fly"]),
    (2, "usage", ["corpus"]),
    (2, "usage", ["corpus", "add"]),
    (2, "usage", ["corpus", "add", "starter", "--format", "pdf"]),
    (2, "usage", ["corpus", "doctor", "--fail-over", "gasp=0"]),
    (2, "usage", ["search", "缓刑", "-k", "0"]),
    (2, "usage", ["search", " "]),
    (2, "usage", ["search", "缓刑", "--any-date", "--as-of", "2010"]),
    (2, "usage", ["ask", ""]),
    (2, "usage", ["ask", "\udcff缓刑"]),
    (2, "usage", ["eval", "nothing", "--data", "x.jsonl"]),
    (2, "usage", ["eval", "lar", "--data", "x.jsonl", "--model", "gpt"]),
    (2, "bad_date", ["at", "刑法", "74", "--on", "2010-02-30"]),
    (2, "bad_date", ["at", "刑法", "74", "--on", ""]),
    (2, "bad_date", ["diff", "刑法", "74", "--from", "2010", "--to", "soon"]),
    (2, "bad_date", ["search", "缓刑", "--as-of", "2010年13月"]),
    (2, "bad_date", ["ask", "2010年2月30日，累犯能否适用缓刑？"]),
    (2, "bad_date", ["ask", "2010年累犯能否适用缓刑？", "--trial", "2012"]),
    (2, "bad_date", ["ask", "2010年累犯能否适用缓刑？", "--trial", "2009-01-01"]),
    (2, "bad_identifier", ["at", "刑法", "七十x"]),
    (5, "unknown_work", ["at", "火星法", "3"]),
    (5, "unknown_work", ["corpus", "doctor", "火星法"]),
    (6, "bad_input", ["eval", "lar", "--data", "no-such-file.jsonl"]),
]


def named(arguments: list[str]) -> str:
    return ascii(" ".join(arguments))


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "words"])
@pytest.mark.parametrize(
    ("status", "arguments"), ANSWERS, ids=[named(arguments) for _, arguments in ANSWERS]
)
def test_the_exit_status_says_which_of_the_four_answers_it_is(
    inforce: InProcess, status: int, arguments: list[str], as_json: bool
) -> None:
    ran = inforce(*arguments, *["--json"] * as_json)
    assert ran.status == status, ran.out + ran.err
    if as_json:
        assert isinstance(ran.json, dict | list)
        assert ran.err == ""
    else:
        assert ran.out.strip()
        assert not ran.out.startswith("{")


@pytest.mark.parametrize(
    ("status", "kind", "arguments"), MISTAKES, ids=[named(arguments) for *_, arguments in MISTAKES]
)
def test_a_mistake_is_one_json_document_too(
    inforce: InProcess, status: int, kind: str, arguments: list[str]
) -> None:
    ran = inforce(*arguments, "--json")
    assert (ran.status, ran.json["error"]) == (status, kind)
    assert set(ran.json) == {"error", "message"}
    assert ran.err == ""


@pytest.mark.parametrize(
    ("status", "kind", "arguments"), MISTAKES, ids=[named(arguments) for *_, arguments in MISTAKES]
)
def test_a_mistake_is_told_on_standard_error_in_one_sentence(
    inforce: InProcess, status: int, kind: str, arguments: list[str]
) -> None:
    ran = inforce(*arguments)
    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith("inforce: ")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["at"], "Missing argument 'law' (try: inforce at --help)"),
        (["corpus", "add"], "Missing argument 'paths' (try: inforce corpus add --help)"),
        (["corpus"], "Missing command (try: inforce corpus --help)"),
        (["fly"], "No such command 'fly' (try: inforce --help)"),
        (["at", "刑法", "74", "--on", "2010-02-30"], "'2010-02-30' as a date: 2010-02 has 28 days"),
        (["at", "刑法", "七十x"], "cannot read '七十x': not an article number (try 133-1"),
        (["at", "火星法", "3"], "no law called '火星法' in this corpus (see: inforce corpus list)"),
        (["eval", "lar", "--data", "no.jsonl"], "no.jsonl: cannot be read"),
    ],
)
def test_a_message_says_what_is_wrong_and_what_to_do(
    inforce: InProcess, arguments: list[str], told: str
) -> None:
    assert told in inforce(*arguments).err


def test_without_a_command_the_help_is_shown(inforce: InProcess) -> None:
    ran = inforce()
    assert ran.status == 0
    assert "Which law was in force" in ran.out
    assert ran.out == inforce("--help").out


def test_the_version_is_told(inforce: InProcess) -> None:
    assert inforce("--version").out.startswith("inforce 0.")


def test_a_defect_is_reported_as_such(inforce: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("inforce.library.Library.at", broken)
    ran = inforce("at", "刑法", "74", "--json")
    assert (ran.status, ran.json["error"]) == (70, "internal")
    assert "planted" in ran.json["message"]
    assert "Traceback" in ran.err


def test_a_damaged_corpus_is_a_corpus_error(inforce: InProcess, tmp_path: Path) -> None:
    (tmp_path / "corpus.db").write_text("not a database, whatever its name", encoding="utf-8")
    ran = inforce("at", "刑法", "74", "--json", home=tmp_path)
    assert (ran.status, ran.json["error"]) == (7, "corpus")
    assert "it is not a corpus; name another file" in ran.json["message"]


def test_a_home_that_is_a_file_is_named_with_what_to_do(inforce: InProcess, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.touch()
    for arguments in (["at", "刑法", "74"], ["corpus", "add", "starter"]):
        ran = inforce(*arguments, home=home)
        assert ran.status == 7
        assert f"cannot make the folder {str(home)!r}" in ran.err
        assert "INFORCE_HOME" in ran.err


def test_an_index_that_cannot_be_made_is_no_traceback(inforce: InProcess, tmp_path: Path) -> None:
    inforce("at", "刑法", "74", home=tmp_path)
    (tmp_path / "index").touch()
    ran = inforce("search", "缓刑", home=tmp_path)
    assert ran.status == 7
    assert ran.err.startswith("inforce: ")
    assert "Traceback" not in ran.err
