"""LegalAgentBench's rebuilt world as a world to make tasks for.

What its lists hold is known only where the server's whole answer was seen, so lists are looked up
for those entities alone.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from inforce.evals.construction.description import Description, plain_cell
from inforce.evals.construction.planning import Branch
from inforce.evals.construction.worlds import Cells, Name, names_in_rows
from inforce.tools.legalagentbench import World, legalagentbench_tools
from inforce.tools.legalagentbench.catalogue import SCHEMAS
from inforce.tools.legalagentbench.files import FRAMES, FrameLine, read_lines, rows_of
from inforce.tools.toolbox import Toolbox


class GivenWorld:
    """The rebuilt world.

    Raises:
        InputError: if a file is missing or is not what it should be.
        MissingExtraError: if the extra ``tables`` is not installed.
    """

    def __init__(self, folder: Path, description: Description) -> None:
        self.description = description
        self._folder = folder
        self._world = World.load(folder)
        self.toolbox = Toolbox(legalagentbench_tools(self._world))

    def starts(self, branch: Branch) -> tuple[Name, ...]:
        """Of a list the entities whose whole answer was seen, else every name in the table."""
        tool = self.description.tools[branch.tool]
        if tool.answer == "rows":
            return self._framed.get(branch.tool, ())
        return names_in_rows(self.description, branch, self._rows[tool.table])

    def close(self) -> None:
        """Let go of the database."""
        self._world.close()

    @cached_property
    def _rows(self) -> dict[str, tuple[Cells, ...]]:
        return {
            name: tuple(
                {column: plain_cell(cell) for column, cell in line.row.items()}
                for line in rows_of(self._folder, SCHEMAS[name])
            )
            for name in self.description.tables
        }

    @cached_property
    def _framed(self) -> dict[str, tuple[Name, ...]]:
        framed: dict[str, set[Name]] = {}
        for line in read_lines(self._folder / FRAMES, FrameLine):
            parts = [line.identifier] if isinstance(line.identifier, str) else line.identifier
            framed.setdefault(line.tool, set()).add(tuple(parts))
        return {tool: tuple(sorted(names)) for tool, names in framed.items()}
