"""Which cases a judicial interpretation says it reaches, read from its final articles.

As a rule the cases not finally decided when it commences; some only cases filed since, some only
facts since. An interpretation of 民法典 that says so reaches facts since 民法典 alone.

>>> read_reach("本解释施行后尚未终审的案件，适用本解释；本解释施行前已经终审的，不适用本解释。")
'pending'
>>> read_reach("本规定施行后，人民法院新受理的一审民间借贷纠纷案件，适用本规定。")
'filed'
"""

from __future__ import annotations

import re
from typing import Literal

Reach = Literal["pending", "filed", "facts", "unstated"]
"""``pending``: cases not finally decided when it commences; ``filed``: cases filed since;
``facts``: facts since; ``unstated``: it does not say."""

_FACTS = re.compile(
    "行为发生在本(?:规定|解释)施行前的，不适用|施行(?:以)?后发生的[^，。]{0,20}适用本"
)
_FILED = re.compile(
    "(?:新受理|受理)的?(?:一审|第一审)[^。]{0,20}案件，?(?:可以)?适用本|施行后[^。]{0,12}新受理"
)
_PENDING = re.compile(
    "(?:尚未(?:终审|审结|审查终结|执行终结|处理)|正在审理|尚在(?:一审|审理))[^。；]{0,40}"
    "(?:适用本|依照本|，适用|适用修改后)|一律适用"
)


def read_reach(text: str) -> Reach:
    """What the text of an interpretation's final articles says of the cases it reaches."""
    if _FACTS.search(text):
        return "facts"
    if _FILED.search(text):
        return "filed"
    return "pending" if _PENDING.search(text) else "unstated"
