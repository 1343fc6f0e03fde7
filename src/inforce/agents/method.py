"""What the three methods of LegalAgentBench have in common: their settings (section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from inforce.agents.environment import PLAIN, Environment
from inforce.agents.plan import MOST_STEPS
from inforce.agents.preselection import Preselection, Selection, Table, preselect
from inforce.agents.run import Run


@dataclass(frozen=True, slots=True)
class Method:
    """Settings of a method; the defaults are those of the paper."""

    tables: tuple[Table, ...] = ()
    always: tuple[str, ...] = ()
    """Tables the model is told of in any case."""
    preselection: Preselection = "model"
    environment: Environment = PLAIN
    max_steps: int = MOST_STEPS

    @property
    def settings(self) -> dict[str, str]:
        """What distinguishes this agent from others of its name."""
        return {
            "max_steps": str(self.max_steps),
            "preselection": self.preselection,
            "environment": self.environment.name,
        }

    async def select(self, run: Run) -> Selection:
        """The tools and tables the question of a run needs."""
        return await preselect(run, self.preselection, self.tables, self.always)
