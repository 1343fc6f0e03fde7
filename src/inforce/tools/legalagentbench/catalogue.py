"""LegalAgentBench's fourteen tables and the 28 tools that read them, as one list.

Tables and columns: LegalAgentBench, table 4; tools: tables 5 and 6. Columns are named as the
benchmark's server names them, which is what a call must ask for: amounts carry their unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Answer = Literal["row", "rows", "cell"]
"""``row``: the first row that fits. ``rows``: all of them. ``cell``: one cell, bare."""


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table: its columns in the server's order, and what it holds."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    """Columns that are looked up by."""
    about: str
    """What it holds, in words a question may use, with spaces between them."""
    about_en: str


@dataclass(frozen=True, slots=True)
class TableTool:
    """A look-up in a table by the value of a column."""

    name: str
    table: str
    keys: tuple[str, ...]
    """Columns the identifier is compared with: any of them, or, of a region, all."""
    answer: Answer
    zh: str
    en: str
    cell: str = ""
    """The column that is returned bare, where ``answer`` is ``cell``."""
    by_region: bool = False
    """Whether it is called with province, city and county instead of an identifier."""


MARKS = {"执行法院": r"院\s*$", "案号": "号"}
"""What every value of a column matches; what does not names something else. Decisions of
authorities have numbers of other forms: a look-up there is not judged by this."""


def _table(name: str, columns: str, keys: str, about: str, about_en: str) -> TableSchema:
    return TableSchema(name, tuple(columns.split()), tuple(keys.split()), about, about_en)


TABLES: tuple[TableSchema, ...] = (
    _table(
        "CompanyInfo",
        "公司名称 公司简称 英文名称 关联证券 公司代码 曾用简称 所属市场 所属行业 成立日期 上市日期 "
        "法人代表 总经理 董秘 邮政编码 注册地址 办公地址 联系电话 传真 官方网址 电子邮箱 入选指数 "
        "主营业务 经营范围 机构简介 每股面值（元） 首发价格（元） 首发募资净额（元） 首发主承销商",
        "公司名称 公司简称 公司代码",
        "上市公司 股票",
        "listed companies",
    ),
    _table(
        "CompanyRegister",
        "公司名称 登记状态 统一社会信用代码 法定代表人 注册资本 成立日期 企业地址 联系电话 "
        "联系邮箱 注册号 组织机构代码 参保人数 行业一级 行业二级 行业三级 曾用名 企业简介 经营范围",
        "公司名称 统一社会信用代码",
        "工商登记 注册信息 企业",
        "the business register",
    ),
    _table(
        "SubCompanyInfo",
        "关联上市公司全称 上市公司关系 上市公司参股比例 上市公司投资金额 公司名称",
        "公司名称 关联上市公司全称",
        "子公司 母公司 参股 控股 投资",
        "companies in which listed companies hold shares",
    ),
    _table(
        "LegalDoc",
        "关联公司 标题 案号 文书类型 原告 被告 原告律师事务所 被告律师事务所 案由 涉案金额（元） "
        "判决结果 日期 文件名",
        "案号 关联公司 原告律师事务所 被告律师事务所",
        "裁判文书 案件 判决 诉讼 起诉",
        "judgments and rulings",
    ),
    _table("LegalAbstract", "文件名 案号 文本摘要", "案号", "摘要 案情", "summaries of judgments"),
    _table(
        "CourtInfo",
        "法院名称 法院负责人 成立日期 法院地址 法院省份 法院城市 法院区县 法院联系电话 法院官网",
        "法院名称 法院省份 法院城市 法院区县",
        "法院 院长 审理",
        "courts",
    ),
    _table(
        "CourtCode",
        "法院名称 行政级别 法院级别 法院代字 区划代码 级别",
        "法院名称 法院代字",
        "法院 代字 级别 审理",
        "codes and levels of courts",
    ),
    _table(
        "LawfirmInfo",
        "律师事务所名称 律师事务所唯一编码 律师事务所负责人 事务所注册资本 事务所成立日期 "
        "事务所地址 事务所省份 事务所城市 事务所区县 通讯电话 通讯邮箱 事务所简介 律所登记机关",
        "律师事务所名称 律师事务所唯一编码 事务所省份 事务所城市 事务所区县",
        "律师事务所 律所",
        "law firms",
    ),
    _table(
        "LawfirmLog",
        "律师事务所名称 业务量排名 服务已上市公司 报告期间所服务上市公司违规事件 "
        "报告期所服务上市公司接受立案调查",
        "律师事务所名称",
        "律所业务 服务记录 排名",
        "law firms' services to listed companies",
    ),
    _table("AddrInfo", "地址 省份 城市 区县", "地址", "地址 省市区", "where addresses lie"),
    _table(
        "RestrictionCase",
        "限制高消费企业名称 案号 法定代表人 申请人 涉案金额（元） 执行法院 立案日期 限高发布日期",
        "案号 限制高消费企业名称 执行法院",
        "限制高消费 限高",
        "restrictions on high consumption",
    ),
    _table(
        "FinalizedCase",
        "终本公司名称 案号 被执行人 疑似申请执行人 未履行金额（元） 执行标的（元） 执行法院 "
        "立案日期 终本日期",
        "案号 终本公司名称 执行法院",
        "终本 终结本次执行",
        "enforcement terminated for lack of assets",
    ),
    _table(
        "DishonestyCase",
        "失信被执行公司名称 案号 失信被执行人 疑似申请执行人 涉案金额（元） 执行法院 立案日期 "
        "发布日期",
        "案号 失信被执行公司名称 执行法院",
        "失信 被执行人",
        "dishonest judgment debtors",
    ),
    _table(
        "AdministrativeCase",
        "行政处罚公司名称 案号 事实 处罚结果 处罚金额（元） 处罚单位 处罚日期",
        "案号 行政处罚公司名称 处罚单位",
        "行政处罚 罚款",
        "administrative penalties",
    ),
)

SCHEMAS: dict[str, TableSchema] = {table.name: table for table in TABLES}


def _tool(
    name: str, table: str, keys: str, answer: Answer, zh: str, en: str, cell: str = ""
) -> TableTool:
    return TableTool(name, table, tuple(keys.split()), answer, zh, en, cell)


def _region_tool(name: str, table: str, keys: str, zh: str, en: str) -> TableTool:
    return TableTool(name, table, tuple(keys.split()), "rows", zh, en, by_region=True)


TABLE_TOOLS: tuple[TableTool, ...] = (
    _tool(
        "get_company_info",
        "CompanyInfo",
        "公司名称 公司简称 公司代码",
        "row",
        "按公司名称、公司简称或公司代码查一家上市公司的资料",
        "a listed company, by its name, short name or code",
    ),
    _tool(
        "get_company_register",
        "CompanyRegister",
        "公司名称",
        "row",
        "按公司名称查一家公司的工商登记",
        "a company's entry in the business register, by its name",
    ),
    _tool(
        "get_company_register_name",
        "CompanyRegister",
        "统一社会信用代码",
        "cell",
        "按统一社会信用代码查公司名称",
        "a company's name, by its unified social credit code",
        "公司名称",
    ),
    _tool(
        "get_sub_company_info",
        "SubCompanyInfo",
        "公司名称",
        "row",
        "按子公司名称查其所属上市公司（母公司）及投资情况",
        "the listed company that holds shares in a company, by the latter's name",
    ),
    _tool(
        "get_sub_company_info_list",
        "SubCompanyInfo",
        "关联上市公司全称",
        "rows",
        "按上市公司（母公司）全称查其投资的全部子公司",
        "all companies a listed company holds shares in, by its full name",
    ),
    _tool(
        "get_legal_document",
        "LegalDoc",
        "案号",
        "row",
        "按案号查一份裁判文书",
        "a judgment or ruling, by its case number",
    ),
    _tool(
        "get_legal_abstract",
        "LegalAbstract",
        "案号",
        "row",
        "按案号查一个案件的文本摘要",
        "the summary of a case, by its case number",
    ),
    _tool(
        "get_legal_document_company_list",
        "LegalDoc",
        "关联公司",
        "rows",
        "按公司名称查其涉及的全部裁判文书",
        "all judgments and rulings a company is concerned in, by its name",
    ),
    _tool(
        "get_legal_document_law_list",
        "LegalDoc",
        "原告律师事务所 被告律师事务所",
        "rows",
        "按律师事务所名称查其代理的全部裁判文书",
        "all judgments and rulings in which a law firm acted, by its name",
    ),
    _tool(
        "get_court_info",
        "CourtInfo",
        "法院名称",
        "row",
        "按法院名称查一个法院的资料",
        "a court, by its name",
    ),
    _region_tool(
        "get_court_info_list",
        "CourtInfo",
        "法院省份 法院城市 法院区县",
        "按省份、城市、区县查当地的全部法院",
        "all courts of a county, by province, city and county",
    ),
    _tool(
        "get_court_code",
        "CourtCode",
        "法院名称 法院代字",
        "row",
        "按法院名称或法院代字（案号中的代字，如“沪0115”）查法院的代字与级别",
        "a court's code and level, by its name or its code in case numbers",
    ),
    _tool(
        "get_lawfirm_info",
        "LawfirmInfo",
        "律师事务所名称 律师事务所唯一编码",
        "row",
        "按律师事务所名称或唯一编码查一家律师事务所的资料",
        "a law firm, by its name or unique code",
    ),
    _region_tool(
        "get_lawfirm_info_list",
        "LawfirmInfo",
        "事务所省份 事务所城市 事务所区县",
        "按省份、城市、区县查当地的全部律师事务所",
        "all law firms of a county, by province, city and county",
    ),
    _tool(
        "get_lawfirm_log",
        "LawfirmLog",
        "律师事务所名称",
        "row",
        "按律师事务所名称查其服务上市公司的记录",
        "a law firm's record of services to listed companies, by its name",
    ),
    _tool(
        "get_address_info",
        "AddrInfo",
        "地址",
        "row",
        "按完整地址查其所在省份、城市、区县",
        "the province, city and county of an address, by the address in full",
    ),
    _tool(
        "get_restriction_case",
        "RestrictionCase",
        "案号",
        "row",
        "按案号查一件限制高消费案件",
        "a restriction on high consumption, by its case number",
    ),
    _tool(
        "get_restriction_case_company_list",
        "RestrictionCase",
        "限制高消费企业名称",
        "rows",
        "按公司名称查其全部限制高消费案件",
        "all restrictions on a company's high consumption, by its name",
    ),
    _tool(
        "get_restriction_case_court_list",
        "RestrictionCase",
        "执行法院",
        "rows",
        "按执行法院名称查其全部限制高消费案件",
        "all restrictions on high consumption a court ordered, by its name",
    ),
    _tool(
        "get_finalized_case",
        "FinalizedCase",
        "案号",
        "row",
        "按案号查一件终本案件",
        "a terminated enforcement, by its case number",
    ),
    _tool(
        "get_finalized_case_company_list",
        "FinalizedCase",
        "终本公司名称",
        "rows",
        "按公司名称查其全部终本案件",
        "all terminated enforcements against a company, by its name",
    ),
    _tool(
        "get_finalized_case_court_list",
        "FinalizedCase",
        "执行法院",
        "rows",
        "按执行法院名称查其全部终本案件",
        "all enforcements a court terminated, by its name",
    ),
    _tool(
        "get_dishonesty_case",
        "DishonestyCase",
        "案号",
        "row",
        "按案号查一件失信被执行案件",
        "a listing of a dishonest debtor, by its case number",
    ),
    _tool(
        "get_dishonesty_case_company_list",
        "DishonestyCase",
        "失信被执行公司名称",
        "rows",
        "按公司名称查其全部失信被执行案件",
        "all listings of a company as dishonest debtor, by its name",
    ),
    _tool(
        "get_dishonesty_case_court_list",
        "DishonestyCase",
        "执行法院",
        "rows",
        "按执行法院名称查其全部失信被执行案件",
        "all listings of dishonest debtors by a court, by its name",
    ),
    _tool(
        "get_administrative_case",
        "AdministrativeCase",
        "案号",
        "row",
        "按案号查一件行政处罚",
        "an administrative penalty, by its case number",
    ),
    _tool(
        "get_administrative_case_company_list",
        "AdministrativeCase",
        "行政处罚公司名称",
        "rows",
        "按公司名称查其受到的全部行政处罚",
        "all administrative penalties against a company, by its name",
    ),
    _tool(
        "get_administrative_case_court_list",
        "AdministrativeCase",
        "处罚单位",
        "rows",
        "按处罚单位名称查其作出的全部行政处罚",
        "all penalties an authority imposed, by its name",
    ),
)

SUPPLEMENTS: dict[str, str] = {"CourtCode": "CourtCode_supplement"}
"""Tables that have a second file: rows of another source, with fewer columns, for what the first
does not have."""
