"""The real statute search, told briefly: a small model reads citations, not provisions."""

from __future__ import annotations

from inforce.law.numerals import ProvisionNumber
from inforce.tools.statute_text import Wording, read_wordings
from inforce.tools.tool import ToolResult
from inforce.train.temporal_search.questions import article_name, citation

MOST_CITED = 3
"""Citations shown of one answer."""

NOTHING = "没有当时有效的条文"


def cited(result: ToolResult) -> str:
    """The versions a statute tool shows, a line each."""
    found = [_line(one) for one in read_wordings(result.text)[:MOST_CITED]]
    return "\n".join(found) or NOTHING


def _line(one: Wording) -> str:
    article = article_name(one.law, ProvisionNumber.parse(one.article))
    return citation(article, one.window.start)
