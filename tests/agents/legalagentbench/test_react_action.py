"""Actions are read from what models write, strictly noted, and never break the reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.legalagentbench.action import Action, ReadingRule, arguments, read_action
from inforce.evals.legalagentbench.protocol import HARNESS
from inforce.tools.tool import ToolSpec

CALL = {"action": "get_court_info", "action_input": {"identifier": "甲法院", "columns": ["负责人"]}}
BLOCK = f"```json{json.dumps(CALL, ensure_ascii=False)}```"
EXPECTED = Action("get_court_info", {"identifier": "甲法院", "columns": ["负责人"]})


@pytest.mark.parametrize(
    "text",
    [
        BLOCK,
        f"思考 1: 先查法院。行动 1: {BLOCK}",
        f"{BLOCK}观察 1: 等待结果",
        f"{BLOCK}行动 2: ```json{{}}```",
        "```json" + json.dumps(CALL, ensure_ascii=False, indent=4) + "```",
        BLOCK.replace('"', "'"),
        BLOCK.replace('["负责人"]', "['负责人']"),
    ],
)
@pytest.mark.parametrize("rule", ["lenient", "benchmark"])
def test_both_readings_take_the_first_block_whatever_stands_around_it(
    text: str, rule: ReadingRule
) -> None:
    assert read_action(text, rule).action == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        "```" + json.dumps(CALL) + "```",
        "```JSON\n" + json.dumps(CALL) + "\n```",
        "```json\n" + json.dumps(CALL),
        json.dumps(CALL),
        '```json{"action": "get_court_info", "action_input": {"identifier": "甲法院",'
        ' "columns": ("负责人",), }}```'.replace('("负责人",)', '["负责人"]'),
        "```json{'action': 'get_court_info', 'action_input': "
        "{'identifier': '甲法院', 'columns': ['负责人']}}```",
    ],
)
def test_the_lenient_reading_takes_what_can_be_understood(text: str) -> None:
    assert read_action(text).action == EXPECTED


@pytest.mark.parametrize("name", ["finish", "final answer", "Final_Answer"])
@pytest.mark.parametrize("given_input", ["周青", {"answer": "周青"}])
def test_other_names_for_the_final_answer_are_understood_by_the_lenient_reading(
    name: str, given_input: object
) -> None:
    text = f"```json{json.dumps({'action': name, 'action_input': given_input})}```"
    action = read_action(text).action
    assert action is not None and action.is_final and action.answer == "周青"
    other = read_action(text, "benchmark").action
    assert other is not None and not other.is_final


def test_a_line_break_inside_a_string_is_no_obstacle_and_the_benchmark_drops_it() -> None:
    text = '```json{"action": "Final Answer", "action_input": "一\n二"}```'
    action = read_action(text).action
    assert action is not None and action.answer == "一\n二" and action.is_final
    assert read_action(text, "benchmark").action == Action("Final Answer", "一二")


@pytest.mark.parametrize("bracket", ["(…)", "（…）"])
@pytest.mark.parametrize("rule", ["lenient", "benchmark"])
def test_a_call_in_glm_s_own_notation_is_read(bracket: str, rule: ReadingRule) -> None:
    inner = "identifier='甲法院', columns=['负责人']"
    text = f"get_court_info\n```python\ntool_call{bracket.replace('…', inner)}\n```"
    assert read_action(text, rule).action == EXPECTED
    with_words = f"行动 1: {text}"
    assert read_action(with_words).action == EXPECTED
    refused = read_action(with_words, "benchmark").action
    assert refused and refused.tool == "行动 1: get_court_info"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("get_court_info```{'identifier': '甲法院', 'columns': ['负责人']}```", EXPECTED),
        ("get_court_info```identifier='甲法院', columns=['负责人']```还有", EXPECTED),
        (
            "行动```{'action': 'a', 'columns': []}```",
            Action("行动", {"action": "a", "columns": []}),
        ),
        (
            "legal_case_retriever```identifier='甲'```",
            Action("legal_case_retriever", {"identifier": "甲"}),
        ),
        ("```{'action': 'a', 'action_input': 1}```", None),  # no name before the block
        ("get_court_info```python get_court_info(identifier='甲法院')```", None),
        ("get_court_info```tool_call(identifier='甲法院', columns=[])```", None),
        ("get_court_info```pythontool_call(identifier='甲法院', columns=[]) ```", None),
        ("get_court_info```{'identifier': true}```", None),
        ("get_court_info```a=1)(b=2```", None),
        ("get_court_info```a=1) + dict(b=2```", None),
        ("get_court_info```{'a': 1}```又```", None),
    ],
)
def test_without_json_the_benchmark_reads_a_name_and_one_block_of_arguments(
    text: str, expected: Action | None
) -> None:
    assert read_action(text, "benchmark").action == expected


def test_a_name_that_is_none_of_a_tool_reaches_the_server_as_it_is() -> None:
    named = '```json{{"action": {}, "action_input": 1}}```'
    for written, tool in [("null", "None"), ("1", "1"), ('"get_sum "', "get_sum ")]:
        action = read_action(named.format(written), "benchmark").action
        assert action == Action(tool, 1)


def test_the_benchmark_s_reading_widens_brackets_and_refuses_quotes_inside_strings() -> None:
    said = '```json{"action": "get_legal_document", "action_input": "(2019)京1号"}```'
    assert read_action(said, "benchmark").action == Action("get_legal_document", "（2019）京1号")
    assert read_action(said).action == Action("get_legal_document", "(2019)京1号")
    quoted = '```json{"action": "Final Answer", "action_input": "代字是\'京0108\'"}```'
    assert read_action(quoted, "benchmark").action is None
    assert read_action(quoted, "benchmark").problems == ("not accepted by the benchmark's reading",)
    lenient = read_action(quoted)
    assert not lenient.problems and lenient.action is not None and lenient.action.is_final


def test_in_the_benchmark_more_than_five_columns_are_all_of_them() -> None:
    def columns(tool: str, names: object, rule: ReadingRule = "benchmark") -> object:
        call = {"action": tool, "action_input": {"identifier": "甲", "columns": names}}
        read = read_action(f"```json{json.dumps(call)}```", rule).action
        return read and read.input["columns"]

    assert columns("get_court_info", list("abcdef")) == []
    assert columns("get_court_info", list("abcde")) == list("abcde")
    assert columns("get_court_info", list("abcdef"), "lenient") == list("abcdef")
    assert columns("get_sum", list("abcdef")) == list("abcdef")
    assert columns("get_court_info", None) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("没有行动", "no JSON block"),
        (f"{BLOCK}观察", "text after the JSON block"),
        (f"{BLOCK}{BLOCK}", "2 JSON blocks instead of one"),
        (BLOCK.replace('"', "'"), "no JSON: "),
        ('```json{"action": "a"}```', "not an object of action and action_input"),
        ('```json{"action": 1, "action_input": 2}```', "action is no name"),
        ("```json[1]```", "not an object of action and action_input"),
    ],
)
def test_every_breach_of_the_form_is_named_even_where_the_action_is_understood(
    text: str, problem: str
) -> None:
    assert any(one.startswith(problem) for one in read_action(text).problems)


def test_a_reply_that_keeps_the_form_has_no_problem() -> None:
    assert not read_action(f"思考：先查法院。\n{BLOCK}\n").problems


@pytest.mark.parametrize(
    "text",
    [
        "",
        "```json",
        '```json{"action": "", "action_input": 1}```',
        '```json{"action": "get_sum", "action_input": [1 for _ in range(9)]}```',
        '```json{"action": "get_sum", "action_input": __import__("os").getcwd()}```',
        "f```pythontool_call(**{})```x",
        "f```pythontool_call(open('/etc/passwd'))```",
        "f```pythontool_call(identifier=open('/etc/passwd'))```",
    ],
)
@pytest.mark.parametrize("rule", ["lenient", "benchmark"])
def test_what_is_no_action_is_none_and_nothing_is_evaluated(text: str, rule: ReadingRule) -> None:
    reading = read_action(text, rule)
    assert (reading.action is None or not reading.action.input) and reading.problems


@pytest.mark.parametrize(
    "text",
    [
        "```json" + "[" * 200_000,
        "```json" + '{"a":' * 90_000 + "```",
        "```" * 60_000,
        "```{" * 50_000,
        "字" * 199_000 + "```pythontool_call(" + "(" * 500 + ")```",
        "f```pythontool_call(a=" + "-" * 15_000 + "1)```",
        "```json" + "9" * 100_000 + "```",
    ],
)
@pytest.mark.parametrize("rule", ["lenient", "benchmark"])
@pytest.mark.timeout(20)
def test_no_length_or_depth_breaks_the_reader(text: str, rule: ReadingRule) -> None:
    assert read_action(text, rule).action is None


@given(st.text(alphabet="`json{}[]'\":,action_inputpythtl()（）1 \\", max_size=200))
def test_no_reply_breaks_the_reader(text: str) -> None:
    for rule in ("lenient", "benchmark"):
        reading = read_action(f"```json{text}```", rule)
        assert reading.action is not None or reading.problems


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4),
    st.text(alphabet="甲乙ab。 ", max_size=20),
)
def test_a_well_formed_action_is_read_back_as_it_was_written(
    given_input: dict[str, str], thought: str
) -> None:
    block = json.dumps({"action": "tool", "action_input": given_input}).replace("`", "\\u0060")
    reading = read_action(f"{thought}\n```json\n{block}\n```")
    assert not reading.problems and reading.action == Action("tool", given_input)


def test_a_bare_value_is_the_first_parameter_of_a_tool() -> None:
    spec = ToolSpec("get_rank", "", {"identifier": {}, "is_desc": {}})
    assert arguments(Action("get_rank", [3, 1]), spec) == {"identifier": [3, 1]}
    assert arguments(Action("get_rank", {"identifier": [1]}), spec) == {"identifier": [1]}
    assert arguments(Action("nothing", "x"), None) == "x"


@pytest.mark.data
def test_the_benchmark_s_reading_is_that_of_the_recorded_run(shared_data: Path) -> None:
    lines = (shared_data / "legalagentbench" / "recorded_react_glm-4_actions.jsonl").read_text(
        "utf-8"
    )
    steps = [
        (completion, observation)
        for line in lines.splitlines()
        for run in [json.loads(line)]
        for completion, observation in zip(run["completions"], run["observations"], strict=False)
        if observation
    ]
    other = [
        completion
        for completion, observation in steps
        if (read_action(completion, "benchmark").action is None)
        != observation.startswith("行动格式非法")
    ]
    assert (len(steps), len(other)) == (623, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "get_court_info```pythontool_call(identifier='甲', columns=['法院级别'])```",
            {"identifier": "甲", "columns": ["法院级别"]},
        ),
        ("get_court_code```pythontool_call(identifier='甲')```", None),
        ("get_sum```pythontool_call(identifier=[1, 2])```", {"identifier": [1, 2]}),
    ],
)
def test_a_call_in_the_models_own_notation_was_refused_without_columns(
    text: str, expected: object
) -> None:
    action = read_action(text, "benchmark").action
    assert action and action.input == expected


def test_in_json_no_columns_mean_all() -> None:
    text = '```json{"action": "get_court_code", "action_input": {"identifier": "甲"}}```'
    action = read_action(text, "benchmark").action
    assert action and action.input == {"identifier": "甲"}


@pytest.mark.parametrize(
    ("tool", "bare", "taken"),
    [
        ("get_company_register_name", "911201167803339648", False),
        ("get_company_info", ["甲"], False),
        ("get_sum", [1, 2], True),
        ("get_rank", [1, 2], True),
        ("get_multiplication", [1, 2], True),
        ("get_subtraction", [1, 2], False),
        ("get_division", [1, 2], False),
        ("get_sum", "1+2", False),
        ("legal_case_retriever", "欠薪", True),
        ("legal_case_retriever", ["欠薪"], False),
    ],
)
def test_what_a_tool_of_the_benchmark_takes_without_a_name(
    tool: str, bare: object, taken: bool
) -> None:
    spec = ToolSpec(tool, "", {"identifier": {}})
    assert HARNESS.arguments(Action(tool, bare), spec) == ({"identifier": bare} if taken else {})
    named = {"identifier": bare}
    assert HARNESS.arguments(Action(tool, named), spec) == named
