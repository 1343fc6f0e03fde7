"""The thirteen tasks of LegalSearch-R1, in the order of the paper's tables 2 and 4."""

from __future__ import annotations

from typing import Literal, get_args

InDomain = Literal["lar", "lcs", "kqa", "lap", "ccp", "ptp", "lca"]
"""Article recitation, consultation, knowledge, articles of a case, its charges, its prison term,
case analysis."""

OutOfDomain = Literal["cpa", "pae", "nje", "ungee", "lbk", "pfe"]
"""Examinations: accountants, patent agents, judges, graduate entrance, legal basics, professional
fundamentals."""

Task = Literal[InDomain, OutOfDomain]

IN_DOMAIN: tuple[InDomain, ...] = get_args(InDomain)
OUT_OF_DOMAIN: tuple[OutOfDomain, ...] = get_args(OutOfDomain)
TASKS: tuple[Task, ...] = (*IN_DOMAIN, *OUT_OF_DOMAIN)

RELEASED_FILES = ("legalsearch_evaluation.jsonl", "legalsearch_ood_evaluation.jsonl")
"""The released files of the benchmark: seven tasks in the domain, six outside it."""

TITLES: dict[Task, str] = {
    "lar": "reciting an article as it stood at a time",
    "lcs": "answering a consultation with its legal basis",
    "kqa": "questions of legal knowledge",
    "lap": "finding the articles a case falls under",
    "ccp": "finding the charges of a case",
    "ptp": "predicting the prison term of a case",
    "lca": "analysing a case",
    "cpa": "accountants' examination",
    "pae": "patent agents' examination",
    "nje": "judicial examination",
    "ungee": "graduate entrance examination",
    "lbk": "basic legal knowledge",
    "pfe": "professional fundamentals examination",
}
