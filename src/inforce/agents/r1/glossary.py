"""English legal terms and how Chinese statutes put them, for a policy that has no model.

A few dozen common terms, enough to search with; what is not among them stays as it is.

>>> in_chinese("Which prevails, the notarized will or the oral will?")
'Which prevails, the 公证遗嘱 or the 口头遗嘱?'
"""

from __future__ import annotations

import re
from functools import cache

_TERMS = """
notarized will=公证遗嘱; notarised will=公证遗嘱; holographic will=自书遗嘱
handwritten will=自书遗嘱; allograph will=代书遗嘱; audio-recorded will=录音遗嘱
audio will=录音遗嘱; oral will=口头遗嘱; will=遗嘱; wills=遗嘱; testator=遗嘱人
statutory succession=法定继承; intestate succession=法定继承; testamentary succession=遗嘱继承
succession=继承; inheritance=继承; estate=遗产; heir=继承人; heirs=继承人; legacy=遗赠
conflicting=相抵触; revoke=撤销; revoked=撤销; revocation=撤销; alter=变更; amend=变更
recidivist=累犯; recidivists=累犯; recidivism=累犯; probation=缓刑; suspended sentence=缓刑
parole=假释; surrender=自首; voluntary surrender=自首; attempt=未遂; accomplice=从犯
ringleader=首要分子; ringleaders=首要分子; death penalty=死刑; life imprisonment=无期徒刑
fixed-term imprisonment=有期徒刑; detention=拘役; fine=罚金; theft=盗窃; robbery=抢劫
fraud=诈骗; bribery=受贿; embezzlement=贪污; murder=故意杀人; intentional homicide=故意杀人
intentional injury=故意伤害; intentional harm=故意伤害; rape=强奸; dangerous driving=危险驾驶
criminal responsibility=刑事责任; juvenile=未成年人; minor=未成年人; marriage=婚姻; divorce=离婚
adoption=收养; contract=合同; guarantee=保证; mortgage=抵押; pledge=质押; lien=留置; sale=买卖
lease=租赁; loan=借款; gift=赠与; breach of contract=违约; damages=损害赔偿
liquidated damages=违约金; deposit=定金; limitation period=诉讼时效
limitation of actions=诉讼时效; ownership=所有权; tort=侵权; legal person=法人; agency=代理
severance=经济补偿; labor contract=劳动合同; labour contract=劳动合同; evidence=证据
confession=供述; appeal=上诉; jurisdiction=管辖; defender=辩护人; marital property=夫妻共同财产
child support=抚养费; unjust enrichment=不当得利
"""


def in_chinese(text: str) -> str:
    """The text with the English terms known here put into Chinese."""
    terms = _terms()
    return _pattern().sub(lambda match: terms[match[0].lower()], text)


@cache
def _terms() -> dict[str, str]:
    pairs = (pair.split("=") for line in _TERMS.strip().splitlines() for pair in line.split("; "))
    return {english.strip(): chinese.strip() for english, chinese in pairs}


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_terms(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)
