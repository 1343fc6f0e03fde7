"""Which wording of a provision governs a case: from the dates of the case and the branch of law.

The answer is either *decided*, with the days whose law governs, or *cannot decide*, with every
wording that comes into question and what a person would have to establish. `decide` takes the dates
of a case and picks the days that count for the provision; `governing` takes the days themselves.
The rules and their sources are in `inforce.law.rules` and
`inforce.law.applicability.special_rules`; the order in which they are asked is in
`inforce.law.applicability.decision`.
"""

from inforce.dates import Conduct
from inforce.law.applicability.decision import decide, governing
from inforce.law.applicability.values import Applicability, Verdict

__all__ = ["Applicability", "Conduct", "Verdict", "decide", "governing"]
