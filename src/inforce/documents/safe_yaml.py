"""YAML from people and models, read safely: no aliases, dates as text, limits on size and depth.

Files people write by hand are read with it, and so is the almost-JSON of models (single quotes, a
comma too many), which is valid YAML more often than valid JSON.

>>> read_yaml("{'name': 'law_at', 'arguments': {'date': 2010-06-01,},}")
{'name': 'law_at', 'arguments': {'date': '2010-06-01'}}
"""

from __future__ import annotations

import re
from typing import Any, cast

import yaml

MOST_CHARACTERS = 200_000
"""Characters read at most."""

_DEEPEST = 40
"""Levels of nesting read at most."""

_OPENING = re.compile(r"[\[{][\[{\s]*+")


class YamlError(ValueError):
    """A text that is not YAML, or beyond what is read; ``line`` counts from 1 where it is known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.reason = reason
        self.line = line
        super().__init__(reason if line is None else f"line {line}: {reason}")


class _Loader(yaml.SafeLoader):
    """Refuses aliases (small files that unfold into huge ones) and leaves dates as text."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise self._refusal("aliases are not read")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._refusal("nested too deeply")
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def _refusal(self, problem: str) -> yaml.MarkedYAMLError:
        event = cast("Any", self.peek_event())
        return yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(text: str) -> Any:
    """Read the value of a YAML document.

    Raises:
        YamlError: if it is none, or larger or deeper than anyone writes by hand.
    """
    loader, node = _composed(text)
    if node is None:
        return None
    try:
        return loader.construct_document(node)
    except (yaml.MarkedYAMLError, ValueError, TypeError) as error:
        raise _explained(error) from error


def line_of(text: str, *path: str | int) -> int | None:
    """The line on which the value at a path begins, or its nearest parent that exists.

    >>> line_of("tools: [{name: a}, {name: b}]", "tools", 1)
    1
    """
    _, node = _composed(text)
    for step in path:
        child: Any = None
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            child = node.value[step] if step < len(node.value) else None
        elif isinstance(node, yaml.MappingNode):
            child = {key.value: value for key, value in node.value}.get(step)
        if child is None:
            break
        node = child
    return None if node is None else node.start_mark.line + 1


def _composed(text: str) -> tuple[_Loader, yaml.Node | None]:
    if len(text) > MOST_CHARACTERS:
        raise YamlError(f"longer than {MOST_CHARACTERS:,} characters")
    for run in _OPENING.finditer(text):  # at brackets that only open the library looks for seconds
        if sum(map(run[0].count, "[{")) > _DEEPEST:
            raise YamlError("nested too deeply", text.count("\n", 0, run.start()) + 1)
    try:
        loader = _Loader(text)
        return loader, loader.get_single_node()
    except (yaml.MarkedYAMLError, yaml.reader.ReaderError) as error:
        raise _explained(error) from error
    except RecursionError as error:
        raise YamlError("nested too deeply") from error


def _explained(error: Exception) -> YamlError:
    mark = getattr(error, "problem_mark", None)
    reason = getattr(error, "problem", None) or str(error).splitlines()[0]
    return YamlError(reason, None if mark is None else mark.line + 1)
