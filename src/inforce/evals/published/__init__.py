"""Figures that papers report, for comparison with ours: one YAML file for each paper.

A file states the source of its figures and holds tables as they are printed::

    source: "LegalSearch-R1 (arXiv 0000.00000)"
    tables:
      table2:
        title: "In-domain results"
        unit: percent
        columns: [LAR, LCS]
        rows:
          - {name: "Qwen-2.5-7b", cells: [36.39, null]}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files

import msgspec

from inforce.documents.safe_yaml import YamlError, read_yaml
from inforce.errors import InternalError
from inforce.evals.table import Cell, Row, Table, Unit


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a paper."""

    source: str
    tables: Mapping[str, Table]
    """As printed: percentages become shares when a table is asked for."""


@cache
def published(name: str) -> Published:
    """Return the figures of a paper by the name of its file: ``legalsearch_r1``.

    Raises:
        InternalError: if there is no such file, or it is malformed.
    """
    try:
        text = files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
        return msgspec.convert(read_yaml(text), Published)
    except (OSError, YamlError, msgspec.ValidationError) as error:
        raise InternalError(f"published/{name}.yaml: {error}") from error


def published_table(name: str, table: str) -> Table:
    """Return a table of a paper, with every row marked as published and every number a share.

    Args:
        name: of the paper's file.
        table: its name in the file: ``table2``.

    Raises:
        InternalError: if there is none, or a row does not fit the columns.
    """
    paper = published(name)
    if table not in paper.tables:
        raise InternalError(f"published/{name}.yaml has no {table!r}")
    found = paper.tables[table]
    rows: list[Row] = []
    for row in found.rows:
        if len(row.cells) != len(found.columns):
            raise InternalError(f"{found.title}, {row.name}: {len(row.cells)} figures in a row")
        cells = tuple(_figure(one, found.unit) for one in row.cells)
        rows.append(Row(row.name, cells, "published"))
    note = " ".join(filter(None, [f"Published rows: {paper.source}.", found.note]))
    return replace(found, rows=tuple(rows), note=note)


def _figure(cell: Cell, unit: Unit) -> Cell:
    """A figure as a share; the rounding undoes what division by 100 adds."""
    if unit == "percent" and isinstance(cell, int | float):
        return round(cell / 100, 8)
    return cell
