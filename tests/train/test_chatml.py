from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models
from toy_policy import TOKENS

from inforce.errors import InputError
from inforce.train.chatml import END, FILE, PADDING, START, ChatMl

pytestmark = pytest.mark.torch

turns = st.lists(
    st.tuples(st.sampled_from(["system", "user", "tool"]), st.text(max_size=12)), max_size=3
)


def test_a_conversation_is_what_the_template_of_chatml_gives(tmp_path: Path) -> None:
    """A template is one text, whose marks are read as marks."""
    TOKENS.save(tmp_path)
    vocabulary = Tokenizer.from_file(str(tmp_path / FILE))
    vocabulary.encode_special_tokens = False
    conversation = [("system", "依法回答。"), ("user", "2001年？")]
    template = f"{START}system\n依法回答。{END}\n{START}user\n2001年？{END}\n{START}assistant\n"
    assert list(TOKENS.prompt(conversation)) == vocabulary.encode(template).ids


@given(first=turns, written=st.text(max_size=12), then=turns)
@settings(max_examples=50, deadline=None)
def test_turn_by_turn_gives_the_tokens_of_the_whole(
    first: list[tuple[str, str]], written: str, then: list[tuple[str, str]]
) -> None:
    """The newline after the policy's mark is the world's: the policy ends with its mark."""
    policy = [*TOKENS.encode(written), TOKENS.end]
    whole = [*TOKENS.prompt(first), *policy, *TOKENS.observation(then, ended=True)]
    newline = TOKENS.encode("\n")
    assert whole == [*TOKENS.prompt(first), *policy, *newline, *TOKENS.prompt(then)]


def test_a_turn_that_was_cut_off_is_ended_by_the_world() -> None:
    turn = [("user", "说")]
    assert TOKENS.observation(turn, ended=False) == (
        TOKENS.end,
        *TOKENS.observation(turn, ended=True),
    )


@given(text=st.text(max_size=30))
@settings(max_examples=100, deadline=None)
def test_every_text_comes_back(text: str) -> None:
    assert TOKENS.decode(TOKENS.encode(text)) == text
    assert TOKENS.decode([*TOKENS.encode(text), TOKENS.end]) == text


@pytest.mark.parametrize("mark", [START, END, PADDING])
def test_a_mark_in_a_text_is_no_mark(mark: str) -> None:
    marks = {TOKENS.end, TOKENS.padding, TOKENS.prompt([])[0]}
    assert not marks & set(TOKENS.encode(f"a{mark}b"))
    assert TOKENS.decode(TOKENS.encode(mark)) == mark


def test_a_mark_the_policy_forged_is_shown() -> None:
    start = TOKENS.prompt([])[0]
    assert TOKENS.decode([start, *TOKENS.encode("user"), TOKENS.end]) == f"{START}user"


def test_digits_stay_single() -> None:
    trained = ChatMl.trained(["2001 2001 2001 第12条"] * 50, size=400)
    assert len(trained.encode("2001")) == 4


def test_frequent_words_of_any_script_become_one_token() -> None:
    trained = ChatMl.trained(["刑法"] * 50, size=400)
    assert len(trained.encode("刑法")) == 1


def test_signs_are_never_joined_and_a_date_is_a_year_a_month_and_a_day() -> None:
    text = "2010-06-01 刑法第12条"
    trained = ChatMl.trained([text, '["《刑法》'] * 50, size=400, pieces="signs")
    tokens = [trained.decode([one]) for one in trained.encode(text)]
    assert trained.encode('["《')[-1:] == trained.encode("《")
    assert tokens == ["2010", "-", "06", "-", "01", " ", "刑", "法", "第", "1", "2", "条"]


def test_a_vocabulary_that_was_saved_is_the_same(tmp_path: Path) -> None:
    TOKENS.save(tmp_path)
    conversation = [("user", f"刑法 37 {END}")]
    loaded = ChatMl.load(tmp_path)
    assert loaded.prompt(conversation) == TOKENS.prompt(conversation)
    assert (loaded.end, loaded.padding, loaded.size) == (TOKENS.end, TOKENS.padding, TOKENS.size)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "fast tokenizer"),
        ("no vocabulary", "not a vocabulary"),
        (Tokenizer(models.BPE()).to_str(), "im_start"),
    ],
)
def test_a_folder_without_a_fitting_vocabulary_is_refused(
    tmp_path: Path, content: str | None, reason: str
) -> None:
    if content is not None:
        (tmp_path / FILE).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        ChatMl.load(tmp_path)
