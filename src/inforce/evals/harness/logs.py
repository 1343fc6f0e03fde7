"""Inspect's logs as records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspect_ai.log import EvalLog, EvalSample

from inforce import errors
from inforce.evals.benchmark import Record
from inforce.evals.harness.samples import item_of
from inforce.evals.harness.scorer import record_of


def records_of(log: EvalLog) -> tuple[Record, ...]:
    """The records of a log, in the order of its samples."""
    return tuple(_records(log))


def _records(log: EvalLog) -> Iterator[Record]:
    order = {id: place for place, id in enumerate(log.eval.dataset.sample_ids or ())}
    samples = sorted(log.samples or (), key=lambda one: (order.get(one.id, 0), one.epoch))
    for sample in samples:
        yield _record(sample)


_NAME = re.compile(r"(\w+)\(")


def _reason(error: str) -> str:
    """Why a sample failed; what nobody raises on purpose is said to be a defect."""
    name = _NAME.match(error)
    ours = name and issubclass(getattr(errors, name[1], object), errors.InforceError)
    return error if ours else f"a defect of inforce, please report it: {error}"


def _record(sample: EvalSample) -> Record:
    question = sample.input if isinstance(sample.input, str) else sample.input[-1].text
    target = sample.target if isinstance(sample.target, str) else "\n".join(sample.target)
    for score in (sample.scores or {}).values():
        if score.metadata and "record" in score.metadata:
            return record_of(sample.id, sample.epoch, question, target, sample.metadata, score)
    item = item_of(sample.id, question, target, sample.metadata)
    why = _reason(sample.error.message) if sample.error else "not scored"
    return Record(
        item.id,
        item.task,
        item.group,
        question,
        target,
        answer="",
        outcome="failed",
        values=dict[str, float | None](),
        facts=item.facts,
        note=why,
        epoch=sample.epoch,
    )
