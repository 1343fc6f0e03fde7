"""Figures that papers report: the rows ours are beside. One YAML file a paper.

A file says where its figures come from and holds tables as they are printed::

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
from functools import cache
from importlib.resources import files

import msgspec

from inforce.documents.safe_yaml import YamlError, read_yaml
from inforce.errors import InternalError
from inforce.evals.table import Cell, Row, Table, Unit


class PublishedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A method and its figures, as printed; ``null`` where the paper has a dash."""

    name: str
    cells: tuple[str | int | float | None, ...]


class PublishedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a paper."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[PublishedRow, ...]
    unit: Unit = "share"
    """Of the figures as printed; figures in percent become shares when they are read."""
    note: str = ""


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a paper reports."""

    source: str
    tables: Mapping[str, PublishedTable]


@cache
def published(name: str) -> Published:
    """What the paper of this name reports: ``legalsearch_r1``.

    Raises:
        InternalError: if there is no such file, or it is not of this form.
    """
    try:
        text = files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
        return msgspec.convert(read_yaml(text), Published)
    except (OSError, YamlError, msgspec.ValidationError) as error:
        raise InternalError(f"published/{name}.yaml: {error}") from error


def published_table(name: str, table: str) -> Table:
    """A table of a paper, every row marked as published and every number a share.

    Args:
        name: of the paper's file.
        table: as the file calls it: ``table2``.

    Raises:
        InternalError: if there is none, or a row does not fit the columns.
    """
    paper = published(name)
    if table not in paper.tables:
        raise InternalError(f"published/{name}.yaml has no {table!r}")
    one = paper.tables[table]
    rows = tuple(_row(row, one) for row in one.rows)
    note = " ".join(filter(None, [f"Published rows: {paper.source}.", one.note]))
    return Table(one.title, one.columns, rows, one.unit, note)


def _row(row: PublishedRow, table: PublishedTable) -> Row:
    if len(row.cells) != len(table.columns):
        raise InternalError(f"{table.title}, {row.name}: {len(row.cells)} figures in a row")
    return Row(row.name, tuple(_cell(cell, table.unit) for cell in row.cells), "published")


def _cell(cell: Cell, unit: Unit) -> Cell:
    """A figure as a share; the rounding undoes what division by 100 adds."""
    if unit == "percent" and isinstance(cell, int | float):
        return round(cell / 100, 8)
    return cell
