"""Chinese statutes and regulations: first in force, amendments, end (format: `known_works`).

Only what is certain is written down. The list of a rarely amended law may be shorter than history;
a date or an amendment that is missing here is unknown, never denied.

Source: the commencement clause of each law and of each amending decision.
"""

from __future__ import annotations

STATUTES = """
[constitutional]
中华人民共和国宪法 | Constitution | 1954-09-20
  1975-01-17 制定
  1978-03-05 制定
  1982-12-04 制定
  1988-04-12 宪法修正案（1988年）
  1993-03-29 宪法修正案（1993年）
  1999-03-15 宪法修正案（1999年）
  2004-03-14 宪法修正案（2004年）
  2018-03-11 宪法修正案（2018年）
中华人民共和国立法法 | Legislation Law | 2000-07-01
  2015-03-15 修正
  2023-03-15 (2023-03-13) 修正
中华人民共和国监察法 | Supervision Law | 2018-03-20
  2025-06-01 (2024-12-25) 修正
中华人民共和国国籍法 | Nationality Law | 1980-09-10
中华人民共和国香港特别行政区基本法 | Hong Kong Basic Law | 1997-07-01
  = 香港基本法
中华人民共和国澳门特别行政区基本法 | Macao Basic Law | 1999-12-20
  = 澳门基本法

[criminal]
中华人民共和国刑法 | Criminal Law | 1980-01-01
  = 刑法典; Criminal Code
  1997-10-01 (1997-03-14) 修订
  1998-12-29 关于惩治骗购外汇、逃汇和非法买卖外汇犯罪的决定
  1999-12-25 刑法修正案
  2001-08-31 刑法修正案（二）
  2001-12-29 刑法修正案（三）
  2002-12-28 刑法修正案（四）
  2005-02-28 刑法修正案（五）
  2006-06-29 刑法修正案（六）
  2009-02-28 刑法修正案（七）
  2009-08-27 关于修改部分法律的决定
  2011-05-01 (2011-02-25) 刑法修正案（八）
  2015-11-01 (2015-08-29) 刑法修正案（九）
  2017-11-04 刑法修正案（十）
  2021-03-01 (2020-12-26) 刑法修正案（十一）
  2024-03-01 (2023-12-29) 刑法修正案（十二）
中华人民共和国刑法修正案 | Amendment (I) to the Criminal Law | 1999-12-25
  = 刑法修正案（一）; Criminal Law Amendment (I)
中华人民共和国刑法修正案（二） | Amendment (II) to the Criminal Law | 2001-08-31
  = Criminal Law Amendment (II)
中华人民共和国刑法修正案（三） | Amendment (III) to the Criminal Law | 2001-12-29
  = Criminal Law Amendment (III)
中华人民共和国刑法修正案（四） | Amendment (IV) to the Criminal Law | 2002-12-28
  = Criminal Law Amendment (IV)
中华人民共和国刑法修正案（五） | Amendment (V) to the Criminal Law | 2005-02-28
  = Criminal Law Amendment (V)
中华人民共和国刑法修正案（六） | Amendment (VI) to the Criminal Law | 2006-06-29
  = Criminal Law Amendment (VI)
中华人民共和国刑法修正案（七） | Amendment (VII) to the Criminal Law | 2009-02-28
  = Criminal Law Amendment (VII)
中华人民共和国刑法修正案（八） | Amendment (VIII) to the Criminal Law | 2011-05-01
  = Criminal Law Amendment (VIII)
中华人民共和国刑法修正案（九） | Amendment (IX) to the Criminal Law | 2015-11-01
  = Criminal Law Amendment (IX)
中华人民共和国刑法修正案（十） | Amendment (X) to the Criminal Law | 2017-11-04
  = Criminal Law Amendment (X)
中华人民共和国刑法修正案（十一） | Amendment (XI) to the Criminal Law | 2021-03-01
  = Criminal Law Amendment (XI)
中华人民共和国刑法修正案（十二） | Amendment (XII) to the Criminal Law | 2024-03-01
  = Criminal Law Amendment (XII)
中华人民共和国反有组织犯罪法 | Anti-Organized Crime Law | 2022-05-01

[criminal procedure]
中华人民共和国刑事诉讼法 | Criminal Procedure Law | 1980-01-01
  = 刑诉法
  1997-01-01 (1996-03-17) 修正
  2013-01-01 (2012-03-14) 修正
  2018-10-26 修正
中华人民共和国逮捕拘留条例 | Regulations on Arrest and Detention | 1954-12-20
  = Arrest and Detention Regulations
  1979-02-23 制定
  1997-01-01 → 中华人民共和国刑事诉讼法
中华人民共和国监狱法 | Prison Law | 1994-12-29
  2013-01-01 (2012-10-26) 监狱法等七部
中华人民共和国社区矫正法 | Community Corrections Law | 2020-07-01
中华人民共和国引渡法 | Extradition Law | 2000-12-28
中华人民共和国国际刑事司法协助法 | International Criminal Judicial Assistance Law | 2018-10-26

[civil]
中华人民共和国民法典 | Civil Code | 2021-01-01
中华人民共和国民法通则 | General Principles of the Civil Law | 1987-01-01
  = General Principles of Civil Law
  2009-08-27 关于修改部分法律的决定
  2021-01-01 → 中华人民共和国民法典
中华人民共和国民法总则 | General Provisions of the Civil Law | 2017-10-01
  = General Provisions of Civil Law
  2021-01-01 → 中华人民共和国民法典
中华人民共和国婚姻法 | Marriage Law | 1950-05-01
  1981-01-01 (1980-09-10) 制定
  2001-04-28 修正
  2021-01-01 → 中华人民共和国民法典
中华人民共和国继承法 | Inheritance Law | 1985-10-01
  = Law of Succession; Succession Law
  2021-01-01 → 中华人民共和国民法典
中华人民共和国收养法 | Adoption Law | 1992-04-01
  1999-04-01 (1998-11-04) 修正
  2021-01-01 → 中华人民共和国民法典
中华人民共和国担保法 | Guarantee Law | 1995-10-01
  = Guaranty Law; Security Law
  2021-01-01 → 中华人民共和国民法典
中华人民共和国合同法 | Contract Law | 1999-10-01
  2021-01-01 → 中华人民共和国民法典
中华人民共和国物权法 | Property Law | 2007-10-01
  = Property Rights Law; Real Right Law
  2021-01-01 → 中华人民共和国民法典
中华人民共和国侵权责任法 | Tort Liability Law | 2010-07-01
  = 侵权法; Tort Law
  2021-01-01 → 中华人民共和国民法典
中华人民共和国经济合同法 | Economic Contract Law | 1982-07-01
  1993-09-02 修正
  1999-10-01 → 中华人民共和国合同法
中华人民共和国涉外经济合同法 | Foreign Economic Contract Law | 1985-07-01
  = Foreign-Related Economic Contract Law
  1999-10-01 → 中华人民共和国合同法
中华人民共和国技术合同法 | Technology Contract Law | 1987-11-01
  1999-10-01 → 中华人民共和国合同法
中华人民共和国涉外民事关系法律适用法 | Foreign-Related Civil Relations Law | 2011-04-01
中华人民共和国反家庭暴力法 | Anti-Domestic Violence Law | 2016-03-01
  = 反家暴法
中华人民共和国消费者权益保护法 | Consumer Protection Law | 1994-01-01
  = 消保法; 消法; 消费者保护法; Consumer Rights Protection Law
  2009-08-27 关于修改部分法律的决定
  2014-03-15 (2013-10-25) 修正
中华人民共和国专利法 | Patent Law | 1985-04-01
  1993-01-01 (1992-09-04) 修正
  2001-07-01 (2000-08-25) 修正
  2009-10-01 (2008-12-27) 修正
  2021-06-01 (2020-10-17) 修正
中华人民共和国商标法 | Trademark Law | 1983-03-01
  1993-07-01 (1993-02-22) 修正
  2001-12-01 (2001-10-27) 修正
  2014-05-01 (2013-08-30) 修正
  2019-11-01 (2019-04-23) 建筑法等八部
中华人民共和国著作权法 | Copyright Law | 1991-06-01
  = 版权法
  2001-10-27 修正
  2010-04-01 (2010-02-26) 修正
  2021-06-01 (2020-11-11) 修正
中华人民共和国农村土地承包法 | Rural Land Contracting Law | 2003-03-01
  2009-08-27 关于修改部分法律的决定
  2019-01-01 (2018-12-29) 修正
中华人民共和国个人信息保护法 | Personal Information Protection Law | 2021-11-01
  = 个保法; PIPL

[civil procedure]
中华人民共和国民事诉讼法 | Civil Procedure Law | 1982-10-01
  = 民诉法; 民事诉讼法（试行）
  1991-04-09 制定
  2008-04-01 (2007-10-28) 修正
  2013-01-01 (2012-08-31) 修正
  2017-07-01 (2017-06-27) 关于修改《民事诉讼法》和《行政诉讼法》的决定
  2022-01-01 (2021-12-24) 修正
  2024-01-01 (2023-09-01) 修正
中华人民共和国仲裁法 | Arbitration Law | 1995-09-01
  2009-08-27 关于修改部分法律的决定 {63, 70, 71}
  2018-01-01 (2017-09-01) 法官法等八部
  2026-03-01 (2025-09-12) 修订
中华人民共和国海事诉讼特别程序法 | Special Maritime Procedure Law | 2000-07-01
  = 海诉法
中华人民共和国人民调解法 | People's Mediation Law | 2011-01-01

[labour]
中华人民共和国劳动法 | Labour Law | 1995-01-01
  = Labor Law
  2009-08-27 关于修改部分法律的决定 {92}
  2018-12-29 劳动法等七部
中华人民共和国劳动合同法 | Labour Contract Law | 2008-01-01
  = Labor Contract Law; Employment Contract Law
  2013-07-01 (2012-12-28) 修正
中华人民共和国劳动合同法实施条例 | Implementing Regulations of the Labour Contract Law | 2008-09-18
中华人民共和国劳动争议调解仲裁法 | Labour Dispute Mediation and Arbitration Law | 2008-05-01
  = Labor Dispute Mediation and Arbitration Law
中华人民共和国就业促进法 | Employment Promotion Law | 2008-01-01
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
中华人民共和国社会保险法 | Social Insurance Law | 2011-07-01
  = 社保法
  2018-12-29 修正
工伤保险条例 | Work-Related Injury Insurance Regulations | 2004-01-01
  = Regulations on Work-Related Injury Insurance
  2011-01-01 (2010-12-20) 国务院关于修改《工伤保险条例》的决定
失业保险条例 | Unemployment Insurance Regulations | 1999-01-22
职工带薪年休假条例 | Paid Annual Leave Regulations | 2008-01-01
  = 带薪年休假条例
女职工劳动保护规定 | | 1988-09-01
  2012-04-28 → 女职工劳动保护特别规定
女职工劳动保护特别规定 | | 2012-04-28

[administrative]
中华人民共和国城市房地产管理法 | Urban Real Estate Administration Law | 1995-01-01
  = 房地产管理法
  2007-08-30 修正
  2009-08-27 关于修改部分法律的决定
  2020-01-01 (2019-08-26) 关于修改《土地管理法》、《城市房地产管理法》的决定
中华人民共和国行政处罚法 | Administrative Penalty Law | 1996-10-01
  = Administrative Punishment Law; Administrative Penalties Law
  2009-08-27 关于修改部分法律的决定 {42, 61}
  2018-01-01 (2017-09-01) 法官法等八部
  2021-07-15 (2021-01-22) 修订
中华人民共和国行政许可法 | Administrative Licensing Law | 2004-07-01
  = Administrative License Law
  2019-04-23 建筑法等八部
中华人民共和国行政强制法 | Administrative Compulsion Law | 2012-01-01
中华人民共和国治安管理处罚法 | Public Security Administration Punishments Law | 2006-03-01
  = 治安处罚法; Public Security Administration Penalties Law
  2013-01-01 (2012-10-26) 监狱法等七部
  2026-01-01 (2025-06-27) 修订
中华人民共和国治安管理处罚条例 | Public Security Penalties Regulations | 1957-10-22
  1987-01-01 (1986-09-05) 制定
  1994-05-12 修正
  2006-03-01 → 中华人民共和国治安管理处罚法
中华人民共和国道路交通安全法 | Road Traffic Safety Law | 2004-05-01
  = 道交法
  2008-05-01 (2007-12-29) 修正
  2011-05-01 (2011-04-22) 修正
  2021-04-29 道路交通安全法等八部
中华人民共和国土地管理法 | Land Administration Law | 1987-01-01
  1988-12-29 修正
  1999-01-01 (1998-08-29) 修订
  2004-08-28 修正
  2020-01-01 (2019-08-26) 关于修改《土地管理法》、《城市房地产管理法》的决定
中华人民共和国食品安全法 | Food Safety Law | 2009-06-01
  2015-10-01 (2015-04-24) 修订
  2018-12-29 产品质量法等五部
  2021-04-29 道路交通安全法等八部
  2025-12-01 (2025-09-12) 修正
中华人民共和国药品管理法 | Drug Administration Law | 1985-07-01
  2001-12-01 (2001-02-28) 修订
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
  2019-12-01 (2019-08-26) 修订
中华人民共和国环境保护法 | Environmental Protection Law | 1979-09-13
  = 环境保护法（试行）
  1989-12-26 制定
  2015-01-01 (2014-04-24) 修订
中华人民共和国安全生产法 | Work Safety Law | 2002-11-01
  = Production Safety Law
  2009-08-27 关于修改部分法律的决定
  2014-12-01 (2014-08-31) 修正
  2021-09-01 (2021-06-10) 修正
中华人民共和国税收征收管理法 | Tax Collection Administration Law | 1993-01-01
  = 税收征管法; Tax Collection and Administration Law
  1995-02-28 修正
  2001-05-01 (2001-04-28) 修订
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
中华人民共和国个人所得税法 | Individual Income Tax Law | 1980-09-10
  = 个税法
  1994-01-01 (1993-10-31) 修正
  1999-08-30 修正
  2006-01-01 (2005-10-27) 修正
  2007-06-29 修正
  2008-03-01 (2007-12-29) 修正
  2011-09-01 (2011-06-30) 修正
  2019-01-01 (2018-08-31) 修正
中华人民共和国企业所得税法 | Enterprise Income Tax Law | 2008-01-01
  = Corporate Income Tax Law
  2017-02-24 修正
  2018-12-29 电力法等四部
中华人民共和国契税法 | Deed Tax Law | 2021-09-01
中华人民共和国增值税法 | Value-Added Tax Law | 2026-01-01
  = VAT Law
中华人民共和国出境入境管理法 | Exit and Entry Administration Law | 2013-07-01
中华人民共和国禁毒法 | Anti-Drug Law | 2008-06-01
  = Narcotics Control Law
中华人民共和国网络安全法 | Cybersecurity Law | 2017-06-01
  = 网安法
  2026-01-01 (2025-10-28) 修正
中华人民共和国数据安全法 | Data Security Law | 2021-09-01
中华人民共和国招标投标法 | Tendering and Bidding Law | 2000-01-01
  = Bidding Law
  2017-12-28 (2017-12-27) 第十二届全国人民代表大会常务委员会第三十一次会议的修改决定
中华人民共和国政府采购法 | Government Procurement Law | 2003-01-01
  2014-08-31 保险法等五部
中华人民共和国建筑法 | Construction Law | 1998-03-01
  = Building Law
  2011-07-01 (2011-04-22) 修正
  2019-04-23 建筑法等八部
中华人民共和国义务教育法 | Compulsory Education Law | 1986-07-01
  2006-09-01 (2006-06-29) 修订
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
  2018-12-29 产品质量法等五部
中华人民共和国公务员法 | Civil Servants Law | 2006-01-01
  = Civil Servant Law
  2018-01-01 (2017-09-01) 法官法等八部
  2019-06-01 (2018-12-29) 修订
中华人民共和国医师法 | Physicians Law | 2022-03-01
  = Doctors Law
中华人民共和国户口登记条例 | Household Registration Regulations | 1958-01-09
中华人民共和国政府信息公开条例 | Open Government Information Regulations | 2008-05-01
  2019-05-15 (2019-04-03) 修订
中华人民共和国道路交通安全法实施条例 | | 2004-05-01
国有土地上房屋征收与补偿条例 | | 2011-01-21
医疗事故处理条例 | | 2002-09-01
物业管理条例 | Property Management Regulations | 2003-09-01
婚姻登记条例 | Marriage Registration Regulations | 2003-10-01
信访条例 | | 1996-01-01
  2005-05-01 (2005-01-10) 制定
  2022-05-01 →
流动人口计划生育工作条例 | | 2009-10-01
  2021-09-09 →
社会抚养费征收管理办法 | | 2002-09-01
  2021-09-09 →
计划生育技术服务管理条例 | | 2001-10-01
  2021-09-09 →
外国企业或者个人在中国境内设立合伙企业管理办法 | | 2010-03-01
  2020-11-29 →
疫苗流通和预防接种管理条例 | | 2005-06-01
  2016-04-23 修正
  2020-03-27 →

[administrative procedure]
中华人民共和国行政诉讼法 | Administrative Procedure Law | 1990-10-01
  = 行诉法; Administrative Litigation Law
  2015-05-01 (2014-11-01) 修正
  2017-07-01 (2017-06-27) 关于修改《民事诉讼法》和《行政诉讼法》的决定
中华人民共和国行政复议法 | Administrative Reconsideration Law | 1999-10-01
  = Administrative Review Law
  2009-08-27 关于修改部分法律的决定
  2018-01-01 (2017-09-01) 法官法等八部
  2024-01-01 (2023-09-01) 修订
中华人民共和国国家赔偿法 | State Compensation Law | 1995-01-01
  2010-12-01 (2010-04-29) 修正
  2013-01-01 (2012-10-26) 监狱法等七部

[commercial]
中华人民共和国公司法 | Company Law | 1994-07-01
  1999-12-25 修正
  2004-08-28 修正
  2006-01-01 (2005-10-27) 修订
  2014-03-01 (2013-12-28) 海洋环境保护法等七部
  2018-10-26 修正
  2024-07-01 (2023-12-29) 修订
中华人民共和国证券法 | Securities Law | 1999-07-01
  2004-08-28 修正
  2006-01-01 (2005-10-27) 修订
  2014-08-31 保险法等五部
  2020-03-01 (2019-12-28) 修订
中华人民共和国企业破产法 | Enterprise Bankruptcy Law | 2007-06-01
  = 破产法; Bankruptcy Law
中华人民共和国企业破产法（试行） | Enterprise Bankruptcy Law (for Trial Implementation) | 1988-11-01
  2007-06-01 → 中华人民共和国企业破产法
中华人民共和国票据法 | Negotiable Instruments Law | 1996-01-01
  2004-08-28 修正
中华人民共和国保险法 | Insurance Law | 1995-10-01
  2003-01-01 (2002-10-28) 修正
  2009-10-01 (2009-02-28) 修订
  2014-08-31 保险法等五部
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
中华人民共和国海商法 | Maritime Law | 1993-07-01
  = Maritime Code
  2026-05-01 (2025-10-28) 修订
中华人民共和国信托法 | Trust Law | 2001-10-01
中华人民共和国合伙企业法 | Partnership Enterprise Law | 1997-08-01
  = Partnership Law
  2007-06-01 (2006-08-27) 修订
中华人民共和国个人独资企业法 | Sole Proprietorship Enterprise Law | 2000-01-01
中华人民共和国商业银行法 | Commercial Bank Law | 1995-07-01
  = Commercial Banks Law
  2004-02-01 (2003-12-27) 修正
  2015-10-01 (2015-08-29) 修正
中华人民共和国证券投资基金法 | Securities Investment Fund Law | 2004-06-01
  = 基金法
  2013-06-01 (2012-12-28) 修订
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
中华人民共和国期货和衍生品法 | Futures and Derivatives Law | 2022-08-01
中华人民共和国外商投资法 | Foreign Investment Law | 2020-01-01
中华人民共和国反垄断法 | Anti-Monopoly Law | 2008-08-01
  = Antimonopoly Law
  2022-08-01 (2022-06-24) 修正
中华人民共和国反不正当竞争法 | Anti-Unfair Competition Law | 1993-12-01
  2018-01-01 (2017-11-04) 修订
  2019-04-23 建筑法等八部
  2025-10-15 (2025-06-27) 修订
中华人民共和国产品质量法 | Product Quality Law | 1993-09-01
  2000-09-01 (2000-07-08) 修正
  2009-08-27 关于修改部分法律的决定
  2018-12-29 产品质量法等五部
中华人民共和国广告法 | Advertising Law | 1995-02-01
  = Advertisement Law
  2015-09-01 (2015-04-24) 修订
  2018-10-26 野生动物保护法等十五部
  2021-04-29 道路交通安全法等八部
中华人民共和国价格法 | Price Law | 1998-05-01
  = Pricing Law
中华人民共和国电子商务法 | E-Commerce Law | 2019-01-01
  = Electronic Commerce Law
中华人民共和国电子签名法 | Electronic Signature Law | 2005-04-01
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
  2019-04-23 建筑法等八部
中华人民共和国拍卖法 | Auction Law | 1997-01-01
  2004-08-28 修正
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
中华人民共和国反洗钱法 | Anti-Money Laundering Law | 2007-01-01
  2025-01-01 (2024-11-08) 修订

[other]
中华人民共和国法官法 | Judges Law | 1995-07-01
  2002-01-01 (2001-06-30) 修正
  2018-01-01 (2017-09-01) 法官法等八部
  2019-10-01 (2019-04-23) 修订
中华人民共和国检察官法 | Public Procurators Law | 1995-07-01
  = Procurators Law
  2002-01-01 (2001-06-30) 修正
  2018-01-01 (2017-09-01) 法官法等八部
  2019-10-01 (2019-04-23) 修订
中华人民共和国人民陪审员法 | People's Assessors Law | 2018-04-27
中华人民共和国律师法 | Lawyers Law | 1997-01-01
  = Law on Lawyers
  2002-01-01 (2001-12-29) 修正
  2008-06-01 (2007-10-28) 修订
  2013-01-01 (2012-10-26) 监狱法等七部
  2018-01-01 (2017-09-01) 法官法等八部
中华人民共和国公证法 | Notarization Law | 2006-03-01
  = Notary Law
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
  2018-01-01 (2017-09-01) 法官法等八部
中华人民共和国未成年人保护法 | Minors Protection Law | 1992-01-01
  = Law on the Protection of Minors
  2007-06-01 (2006-12-29) 修订
  2013-01-01 (2012-10-26) 监狱法等七部
  2021-06-01 (2020-10-17) 修订
  2024-04-26 第十四届全国人民代表大会常务委员会第九次会议的修改决定
中华人民共和国预防未成年人犯罪法 | Juvenile Delinquency Prevention Law | 1999-11-01
  2013-01-01 (2012-10-26) 监狱法等七部
  2021-06-01 (2020-12-26) 修订
中华人民共和国妇女权益保障法 | Women's Rights Protection Law | 1992-10-01
  2005-12-01 (2005-08-28) 修正
  2018-10-26 野生动物保护法等十五部
  2023-01-01 (2022-10-30) 修订
中华人民共和国老年人权益保障法 | Elderly Rights Protection Law | 1996-10-01
  2009-08-27 关于修改部分法律的决定
  2013-07-01 (2012-12-28) 修订
  2015-04-24 第十二届全国人民代表大会常务委员会第十四次会议的修改决定
  2018-12-29 劳动法等七部
中华人民共和国残疾人保障法 | Law on the Protection of Persons with Disabilities | 1991-05-15
  2008-07-01 (2008-04-24) 修订
  2018-10-26 野生动物保护法等十五部
"""
