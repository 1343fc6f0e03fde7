"""A run as one JSON object: every measure with its interval, and over how many items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from inforce.evals.benchmark import Benchmark
from inforce.evals.results import Results
from inforce.llm.chat import Usage
from inforce.scoring.estimate import Estimate

_DIGITS = 6


def result_line(results: Results, benchmark: Benchmark) -> dict[str, Any]:
    """What a run came to.

    Measures stand at the top level by name (``null``: could not be measured) and by group under
    ``groups``; ``intervals`` has the 95 % confidence intervals of the former: low, high, and over
    how many items. Those of the groups are in the report.
    """
    summary = benchmark.summarise(results.records)
    records = results.records
    return {
        "benchmark": results.info.benchmark,
        "agent": results.info.agent,
        "model": results.info.model,
        "judge": results.info.judge or None,
        "n": sum(one.is_scored for one in records),
        **_figures(summary.values),
        "intervals": {name: _interval(one) for name, one in summary.values.items() if one},
        "groups": {name: _group(of) for name, of in summary.groups.items()},
        "outcomes": dict(sorted(Counter(one.outcome for one in records).items())),
        "usage": _usage(sum((one.usage for one in records), Usage())),
        "seconds": round(results.info.seconds, 1),
    }


def _figures(values: Mapping[str, Estimate | None]) -> dict[str, Any]:
    return {name: _rounded(one.value) if one else None for name, one in values.items()}


def _group(values: Mapping[str, Estimate | None]) -> dict[str, Any]:
    return {"n": max((one.n for one in values.values() if one), default=0), **_figures(values)}


def _interval(estimate: Estimate) -> list[float | int | None]:
    """Low, high, and over how many items."""
    return [_rounded(estimate.low), _rounded(estimate.high), estimate.n]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "money": None if usage.money is None else str(usage.money),
    }
