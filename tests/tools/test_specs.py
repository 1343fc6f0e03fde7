"""Tool specs from files: the form of the paper's figure 10, and where a file departs from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from inforce.documents.safe_yaml import YamlError, read_yaml
from inforce.errors import InputError
from inforce.tools.specs import built_in_specs, load_specs

FIGURE_10 = """\
tools:
  - name: "web_search"
    description: "Search the internet."
    parameters:
      query:
        type: array
        description: "Queries."
        items: {type: string}
  - name: law_at
    description: Looks an article up.
    parameters:
      law: {type: string}
      date: {type: string, default: 2010-06-01}
    required: [law]
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "tools.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_in_the_form_of_figure_10_is_read(tmp_path: Path) -> None:
    search, law_at = load_specs(written(tmp_path, FIGURE_10))
    assert (search.name, search.schema["required"]) == ("web_search", ["query"])
    assert search.parameters["query"]["items"] == {"type": "string"}
    assert law_at.schema["required"] == ["law"]
    assert law_at.parameters["date"]["default"] == "2010-06-01"  # a date stays as it is written


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, "list of tools"),
        ("tools: []", 1, "list of tools"),
        ("- name: a", 1, "list of tools"),
        ("tools:\n  - just words", 2, "mapping"),
        ("tools:\n  - name: a\n    parameters: {}", 2, "description"),
        ("tools:\n  - name: a\n    description: b\n    prameters: {}", 4, "prameters"),
        ("tools:\n  - name: a\n    description: b\n    parameters: [q]", 4, "mapping of names"),
        ("tools:\n  - name: a\n    description: b\n    parameters:\n      q: text", 5, "'q'"),
        (
            "tools:\n  - name: a\n    description: b\n    parameters:\n      q: {type: words}",
            5,
            "JSON schema",
        ),
        ("tools:\n  - name: a\n    description: b\n    required: [q]", 4, "required"),
        ("tools:\n  - name: a\n    description: b\n    required: [[q]]", 4, "required"),
        ("tools:\n- {name: a, description: b}\n- {name: a, description: c}", 3, "second"),
        ("tools:\n  - name: 'a\n", 3, ""),
        ("tools: &x\n  - *x", 2, "aliases"),
        ("tools: " + "[" * 200, 1, "deeply"),
        ("tools: !!python/object/apply:os.system ['true']", 1, "could not determine"),
    ],
)
def test_a_file_that_departs_from_the_form_names_the_line(
    tmp_path: Path, text: str, line: int | None, words: str
) -> None:
    with pytest.raises(InputError) as caught:
        load_specs(written(tmp_path, text))
    assert (caught.value.line, words in caught.value.reason) == (line, True), caught.value


def test_what_is_no_text_or_too_large_or_missing_is_refused(tmp_path: Path) -> None:
    for path in (written(tmp_path, b"\xff\xfe\x00"), tmp_path / "none.yaml", tmp_path):
        with pytest.raises(InputError):
            load_specs(path)
    with pytest.raises(InputError, match="large"):
        load_specs(written(tmp_path, b"#" * 1_000_000))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_tool_has_a_spec_in_both_languages_with_the_same_arguments(language: str) -> None:
    specs, others = built_in_specs("zh"), built_in_specs("en")
    assert (
        list(specs)
        == list(others)
        == [
            "rag_retrieve",
            "law_at",
            "history",
            "diff",
            "web_search",
            "browse_webpage",
            "case_law_search",
            "search_source",
            "search_documents",
        ]
    )
    for name, spec in specs.items():
        assert spec.schema["required"] == others[name].schema["required"]
        Draft202012Validator.check_schema(spec.schema)
        assert spec.description != others[name].description


@given(st.text(max_size=200))
def test_any_text_is_yaml_or_refused(text: str) -> None:
    try:
        read_yaml(text)
    except YamlError as error:
        assert str(error)
