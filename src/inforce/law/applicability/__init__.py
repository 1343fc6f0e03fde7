"""Which version governs: from the dates of a case and the branch of law to the text, with the rule.

The answer is either *decided*, with the days whose law governs, or *cannot decide*, with every
wording that comes into question and what a person would have to establish. `decide` picks the days
that count for a provision out of the dates of a case and judges each; `governing` judges one. The
rules themselves and their sources are in `inforce.law.transition` and `inforce.law.special_rules`.
"""

from inforce.dates import Conduct
from inforce.law.applicability.decision import decide, governing, reference_days
from inforce.law.applicability.values import Applicability, Verdict

__all__ = ["Applicability", "Conduct", "Verdict", "decide", "governing", "reference_days"]
