"""What instruments on the reach of a law say of single provisions (format below).

One instrument a block: its document number in brackets, below it its title, the first day of the
later law and that law. Then one rule a line: the article of the instrument; its effect; the
provisions of the later law it is about; the provisions of the former law whose place these take; a
condition. The effect is

``new``   the later law reaches the earlier facts
``old``   the former law stays, although the later one is more lenient or more special
``own``   the instrument itself gives the rule
``judge`` the court has to choose, by what the sentence says
``note``  to be borne in mind; by itself it decides nothing

The condition names words the question must have (``/…/``, a pattern), or an event that must lie on
or after the day (``will since``), before it (``due before``) or not more than so many years before
it (``due within 2``), or both. The sentence below says it all.

Source: the instruments, read article by article.
"""

from __future__ import annotations

TABLE = """
[法释〔1997〕5号]
最高人民法院关于适用刑法时间效力规定若干问题的解释
1997-10-01 | 中华人民共和国刑法
1 | old | 88 | | /追诉|时效|逃|立案/
    Limitation where the offender fled, or a complaint was not taken up, follows the former art. 77.
2 | old | 63 | | /法定刑以下|减轻/
    Acts before: sentencing below the statutory minimum follows the former art. 59.
3 | old | 65 | | /累犯/
    Recidivism: the former art. 61 if the new crime was before, art. 65 if after.
4 | new | 67 | | /如实供述|其他罪行|自首/
    Confessing other crimes (para. 2) counts as surrender for earlier acts too.
5 | new | 68 | | /立功|揭发|检举/
    Meritorious service for earlier acts follows this article.
6 | new | 77 | | /缓刑/
    Probation granted before and broken after is revoked under this article.
7 | new | 81 | | /特殊情况/
    Parole in special circumstances (para. 1) is open to those who offended before.
8 | old | 81 | | /累犯|暴力/
    Recidivists and violent offenders of before may be paroled under the former art. 73.
9 | new | 86 | | /假释/
    Parole granted before and broken after is revoked under this article.

[法释〔2011〕9号]
最高人民法院关于《中华人民共和国刑法修正案（八）》时间效力问题的解释
2011-05-01 | 中华人民共和国刑法
1 | new | 38, 72, 77 | | /禁止令|禁止从事|禁止进入|禁止接触/
    A restraining order may be made for earlier acts too, and breaking it is judged by the new text.
2 | new | 50 | | /死缓[^。]{0,16}(?:不足以|难以|不能)[^。]{0,6}罚当其罪/
    A suspended death sentence alone would not do justice: the new para. 2 applies.
2 | judge | 50 | | /死缓|死刑缓期|限制减刑/
    The former text; the new para. 2 (limited commutation) where it spares an execution.
3 | new | 65 | | /(?:未满|不满)(?:十八|18)|未成年/
    Recidivism where the first crime was committed under 18 follows the new text.
3 | old | 65, 66 | | /累犯/
    Recidivism: the former text if the new crime was before 2011-05-01, the new one if after.
4 | new | 67 | | /如实供述|坦白/
    Truthful confession (para. 3) mitigates earlier acts too.
5 | old | 68 | | /自首/
    Surrender with major merit: the former para. 2 applies to earlier acts.
6 | old | 69 | | /数罪/
    Several crimes: the former text if all were before, the new text if one was after.
7 | old | 78, 81 | | /无期/
    Life sentences for earlier acts: the former minimum term applies to commutation and parole.
8 | judge | 81 | | /假释/
    Parole: the former para. 2 for listed crimes, the new paras. 2-3 for other violence.

[法释〔2015〕19号]
最高人民法院关于《中华人民共和国刑法修正案（九）》时间效力问题的解释
2015-11-01 | 中华人民共和国刑法
1 | old | 37-1 | | /职业/
    The ban on a profession (para. 1) does not reach earlier acts.
2 | new | 50 | | /死缓|死刑缓期/
    Intentional crimes before, while a death sentence was suspended: the new para. 1 applies.
3 | new | 69 | | /拘役|管制/
    Several crimes of before with mixed terms: the new para. 2 applies.
4 | new | 246 | | /网络|网上|微博|微信/
    Insult and libel online of before: the new para. 3 (help with evidence) applies.
5 | new | 260 | | /没有能力|无法告诉|强制|威吓/
    Ill-treatment of before, the victim unable to sue: the new para. 3 applies.
6 | judge | 284-1 | | /作弊|试题|答案/
    Cheating in examinations of before: the former articles, unless this one is lighter.
7 | judge | 307-1 | | /虚假诉讼|捏造|伪造|诉讼/
    Sham litigation of before: the former articles, unless this one is lighter.
8 | new | 383 | | /死缓[^。]{0,16}(?:不足以|难以|不能)[^。]{0,8}(?:罚当其罪|罪刑|罪责)/
    A suspended death sentence alone would not do justice: life without release (para. 4) applies.
8 | judge | 383 | | /死刑|死缓|终身监禁/
    Life without release (para. 4) reaches earlier acts where it spares an execution.

[法释〔2020〕15号]
最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定
2021-01-01 | 中华人民共和国民法典
6 | new | 185 | |
    Harm to the name of heroes and martyrs before 2017-10-01: this article applies.
7 | new | 401, 428 | 中华人民共和国物权法 186, 211; 中华人民共和国担保法 40, 66 |
    A forfeiture clause in a mortgage or pledge made before: these articles apply.
8 | note | 143, 146, 153, 154, 502, 597 | | /无效|效力|有效/
    A contract of before that is void under the law of then and valid under 民法典 follows 民法典.
9 | new | 496 | 中华人民共和国合同法 39 | /格式/
    Standard terms of before, not pointed out or explained: this article applies.
10 | new | 565 | 中华人民共和国合同法 96 | /起诉|诉讼/
    Rescission by filing suit without notice, before: para. 2 applies.
11 | new | 580 | 中华人民共和国合同法 110 | /终止|僵局|不能实现/
    Ending a contract of before that cannot be performed: para. 2 applies.
12 | new | 761-769 | |
    Factoring contracts of before: these articles apply.
13 | new | 1125 | 中华人民共和国继承法 7 |
    Forfeiture of inheritance by conduct of before: this article applies.
14 | new | 1128 | 中华人民共和国继承法 11 | /兄弟|姐妹|侄|外甥/
    Representation by nephews and nieces: applies if the estate was not dealt with before 2021.
15 | new | 1136 | |
    A printed will made before: applies if the estate was not dealt with before 2021.
16 | new | 1176 | |
    Injury in a risky activity joined freely, before: this article applies.
17 | new | 1177 | |
    Self-help of before: this article applies.
18 | new | 1217 | |
    A free ride in a private car, before: this article applies.
19 | new | 1254 | 中华人民共和国侵权责任法 87 |
    Objects thrown or fallen from buildings, before: this article applies.
20 | note | 509-556 | | /履行/
    A contract of before performed across 2021-01-01: performance since then follows 民法典.
21 | new | 734 | | due since
    A tenant's priority to rent again: only if the lease ended on or after 2021-01-01.
22 | new | 1079 | 中华人民共和国婚姻法 32 | /不准离婚|判决不离|驳回/
    Divorce refused before and a year's separation since: para. 5 applies.
23 | new | 1142 | 中华人民共和国继承法 20 | will since
    A notarised will of before and a new will on or after 2021-01-01: para. 3 applies.
24 | new | 1164-1258 | | result since
    A tort of before whose harm appeared on or after 2021-01-01 follows 民法典.
25 | own | 564 | | /解除/
    The right to rescind of before ends one year after 2021-01-01 if known by then.
26 | new | 1052 | 中华人民共和国婚姻法 11 | /胁迫/
    Marriage under duress before: the period of para. 2 applies.
27 | own | 692 | 中华人民共和国担保法 25, 26 | /保证/ due within 2
    A guarantee of before without a clear period: two years or six months may be claimed.

[法释〔2024〕7号]
最高人民法院关于适用《中华人民共和国公司法》时间效力的若干规定
2024-07-01 | 中华人民共和国公司法
1 | new | 26, 28, 48, 84, 211, 212, 224, 226 | |
    Resolutions, capital in claims, sale of shares to outsiders, unlawful payments, of before.
2 | new | 14, 214, 219 | |
    Acts of before that were void then and are valid under the new law follow the new law.
3 | note | 140, 141, 163 | |
    Contracts of before performed across 2024-07-01: performance since then follows the new law.
4 | new | 89, 161, 180, 192 | |
    What the law of then did not regulate: buy-out rights and liability of controllers.
5 | new | 157, 181, 182, 183, 184, 265 | |
    What the law of then regulated in principle only: duties of directors, related parties.
6 | old | 232 | | due before
    Liquidation that fell due before follows the law of then, unless less than 15 days before.

[劳动合同法]
中华人民共和国劳动合同法
2008-01-01 | 中华人民共和国劳动合同法
97 | note | 14, 46, 47 | |
    Fixed terms are counted from the first renewal, severance from 2008-01-01.

[法释〔2001〕30号]
最高人民法院关于适用《中华人民共和国婚姻法》若干问题的解释（一）
2001-04-28 | 中华人民共和国婚姻法
33 | new | 1-51 | |
    Marriage cases pending in first or second instance on 2001-04-28 follow the amended law.
"""
