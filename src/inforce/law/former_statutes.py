"""Titles of statutes that are no longer in force under that name, as far as they are certain.

Nothing but the title is recorded (those with more are in `data/statutes.txt`): a citation
of one of them is not a citation of a law that never was.
"""

from __future__ import annotations

from typing import Final

from inforce.law.registry import name_key

_TITLES = """
外资企业法 中外合资经营企业法 中外合作经营企业法 外商投资企业和外国企业所得税法
外国企业所得税法 中外合资经营企业所得税法 经济合同法 涉外经济合同法 技术合同法 民法通则
民法总则 婚姻法 继承法 收养法 担保法 合同法 物权法 侵权责任法 食品卫生法 食品卫生法（试行）
城市规划法 行政监察法 治安管理处罚条例 逮捕拘留条例 律师暂行条例 农业税条例 公民出境入境管理法
外国人入境出境管理法 海洋环境保护法（试行） 环境保护法（试行） 民事诉讼法（试行）
森林法（试行） 企业破产法（试行） 全民所有制工业企业法 村民委员会组织法（试行）
环境噪声污染防治法 现役军官法 预备役军官法 现役军官服役条例 惩治军人违反职责罪暂行条例
惩治反革命条例 惩治贪污条例 土地改革法 人民法院暂行组织条例 户口登记条例 学位条例
中国人民解放军军官军衔条例 中国人民解放军现役军官服役条例 国家建设征用土地条例 商标注册条例
固定资产投资方向调节税暂行条例 进出口商品检验条例 乡镇企业法
"""

FORMER_STATUTES: Final[frozenset[str]] = frozenset(map(name_key, _TITLES.split()))
"""The titles as `inforce.law.registry.name_key` has them."""
