"""Whatever is put in, dates come out or a `DateError` does, and soon."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import partial

import pytest

from fuzzing import INPUTS
from inforce.dates import Clock, LegalDate, parse_when, scan_dates
from inforce.errors import DateError

SEEDS = (
    "2013年6月15日21时许，被告人于同年7月至2014年2月间，次日、同月22日又盗窃三次",
    "二〇一五年十二月三十一日 2010年上半年 去年 今天 1990年代 农历正月初五 每年2月1日至4月30日",
    "between June 1 and August 3rd, 2018; in 2001-2004, the 1960s, last year, 5/1/2011, 2015.10.12",
    "（2014）光刑初字第00146号 GB21900-2008 ２０１３年２月３０日 2010-01-01..2011-05-01",
)
ALPHABET = (
    "0123456789０９〇零○一二三十年月日号至到、和-~/. .\n初底上中下旬半同次当去今前《》第"
    "MayJunetobetween"
)
REPEATED = (
    *("2013年", "2013年 ", "2", "二", "十", "《2013年", "每年", "May ", "2013-", "1/", "6、"),
    *("2013年6月至", "in ", "今年1", "2001-", "农历", "3日、", "1 may ", "May 1 to ", "  "),
    *("次日", "and ", "2013年5月次日"),
)


def inputs(count: int) -> Iterator[str]:
    rng = random.Random(20200125)
    for _ in range(count):
        if rng.random() < 0.3:
            yield "".join(rng.choices(ALPHABET, k=rng.randrange(60)))
            continue
        chars = list(rng.choice(SEEDS))
        for _ in range(rng.randrange(1, 12)):
            at = rng.randrange(len(chars))
            noise = rng.choice((rng.choice(ALPHABET), chr(rng.randrange(0x20, 0xD7FF)), ""))
            chars[at : at + rng.randrange(3)] = noise
        yield "".join(chars)


@pytest.mark.fuzz
def test_random_and_mutated_texts_are_read_or_refused(clock: Clock) -> None:
    for text in inputs(INPUTS):
        scan = scan_dates(text, clock=clock)
        for mention in scan.mentions:
            assert text[mention.start : mention.end] == mention.text
        ends = [0, *(mention.end for mention in scan.mentions)]
        assert all(m.start >= end for m, end in zip(scan.mentions, ends, strict=False))
        for parse in (LegalDate.parse, partial(parse_when, clock=clock)):
            try:
                parse(text)
            except DateError as error:
                assert error.text.rstrip("…") in text


@pytest.mark.parametrize("piece", REPEATED)
def test_time_grows_with_length_alone(piece: str, clock: Clock) -> None:
    text = piece * (50_000 // len(piece))
    began = time.process_time()
    scan_dates(text, clock=clock)
    assert time.process_time() - began < 1
