"""Bytes become the characters they stand for; a statute is read strictly or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.documents.charset import decode, decode_strictly, encoding_of
from inforce.errors import InputError


@pytest.mark.parametrize(
    ("encoding", "header", "meta"),
    [
        ("gb18030", "gbk", ""),
        ("gb18030", "", "gb2312"),
        ("gb18030", "", ""),
        ("gb18030", "utf-8", "gbk"),
        ("utf-8", "", ""),
        ("utf-8", "gbk", ""),
        ("utf-8-sig", "gbk", ""),
        ("utf-16", "", ""),
        ("big5", "big5", ""),
        ("big5", "", ""),
        ("utf-8", "rot13", "unicode_escape"),
    ],
)
def test_a_page_is_decoded_whatever_it_says_of_itself(
    encoding: str, header: str, meta: str
) -> None:
    text = "過失致人死亡" if encoding == "big5" else "过失致人死亡，处三年以上有期徒刑；镕"
    html = f"<html><head><meta charset='{meta}'></head><body>{text}</body></html>"
    assert text in decode(html.encode(encoding), declared=header).text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "big5", "utf-16"])
def test_text_is_read_in_the_encodings_chinese_files_come_in(encoding: str) -> None:
    text = "房屋租賃契約\n第一章 租金\n出租人應當按照約定將租賃物交付承租人，每月租金九百元。\n"
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("label", ["rot13", "zlib", "hex", "idna", "unicode_escape", "utf-7", "\0"])
def test_what_is_no_encoding_of_text_is_not_used(label: str) -> None:
    assert encoding_of(label) == ""


@given(st.binary(max_size=300), st.sampled_from(["", "gbk", "utf-16", "big5", "x" * 40]))
def test_any_bytes_become_text(content: bytes, declared: str) -> None:
    text = decode(content, declared=declared).text
    assert text.encode().decode() == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_statute_is_read_in_four_encodings(encoding: str) -> None:
    found = decode_strictly("第一条　甲。".encode(encoding), path="law.txt")
    assert (found.text, found.encoding) == ("第一条　甲。", encoding)


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        ("示例法\n第一条".encode() + b"\xff\xff", 2, "a character that is not utf-8;"),
        ("示例法\n第一条".encode()[:-1], 2, "a character that is not utf-8;"),
        (b"\xc8\xd5\n\xff\xff\xff", 1, "a character that is not utf-8 nor gb18030"),
        (b"\xff\xfe\x00\xd8", 1, "a character that is not utf-16"),
        ("示例法\n第一条\0".encode(), 2, "a NUL character"),
    ],
)
def test_a_statute_with_a_byte_that_fits_nothing_is_refused(
    data: bytes, line: int, reason: str
) -> None:
    with pytest.raises(InputError) as caught:
        decode_strictly(data, path="law.txt")
    assert caught.value.line == line
    assert reason in caught.value.reason
