"""What a run of verl is told about the world its episodes take place in: the node ``inforce``.

It stands beside verl's own nodes and not in them, since verl refuses keys it does not know.
"""

from __future__ import annotations

from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from inforce.agents.settings import ResearchOptions, ResearchSettings
from inforce.errors import UserError
from inforce.evals.benchmark import Setup
from inforce.tools.tool import Language

NODE = "inforce"


class World(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where agents work, and with what."""

    today: date
    """What "today" means in an episode."""
    language: Language = "zh"
    corpus: str | None = None
    """A corpus file, or statute files; the person's own corpus without one."""
    sources: str = ""
    """Kinds of sources as `inforce.agents.settings.read_sources` reads them; empty: the usual."""
    web: str = ""
    """A web search as `inforce.web.search.opening.open_provider` has it; empty: none."""
    documents: str | None = None
    reader: str = ""
    """The model that reads pages for tools; empty: tools show what they found."""
    max_turns: int | None = None

    def setup(self, agent: str) -> Setup:
        """The same as evaluations take it."""
        research = ResearchOptions(
            agent=agent,
            sources=self.sources or None,
            web=self.web,
            documents=self.documents,
            max_turns=self.max_turns,
            network=False,
        )
        return Setup(
            data=Path(),
            today=self.today,
            settings=ResearchSettings().with_options(research),
            corpus=Path(self.corpus) if self.corpus else None,
        )


class Shaping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entropy-based advantage shaping (LegalSearch-R1, equation 5)."""

    alpha: float = 0.0
    """How strongly; 0: not at all."""
    kappa: float = 2.0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of the node."""

    world: World
    shaping: Shaping = Shaping()
    turn_tokens: int | None = None
    """What the policy may write in one turn; as much as in the whole episode without it."""
    judge: str = ""
    """The model that judges answers, for rewards that need one."""


def read_settings(node: Any) -> Settings:
    """The settings of a configuration.

    Args:
        node: its node ``inforce`` as plain values; ``None`` if it has none.

    Raises:
        UserError: if there is none, or it holds what it should not; says where.
    """
    if node is None:
        raise UserError(f"the configuration has no node {NODE!r}: begin with one of inforce's")
    try:
        return msgspec.convert(node, Settings)
    except msgspec.ValidationError as error:
        raise _wrong(f"the node {NODE!r}", error) from error


def read_node(config: Any) -> Settings:
    """The settings of a whole configuration of verl, an omegaconf ``DictConfig``.

    Raises:
        UserError: as `read_settings`.
    """
    omegaconf: Any = import_module("omegaconf")  # comes with verl
    node = config.get(NODE)
    if node is None:
        return read_settings(None)
    try:
        plain = omegaconf.OmegaConf.to_container(node, resolve=True, throw_on_missing=True)
    except omegaconf.errors.MissingMandatoryValue as error:
        raise UserError(f"the configuration needs a value for {error.full_key}") from error
    return read_settings(plain)


def read_world(values: Any) -> World:
    """The world of a tool that stands by itself in verl's tool configuration.

    Raises:
        UserError: if a value is none of a world.
    """
    try:
        return msgspec.convert(values, World)
    except msgspec.ValidationError as error:
        raise _wrong("the 'world' of a tool", error) from error


def _wrong(where: str, error: msgspec.ValidationError) -> UserError:
    return UserError(f"in {where} of the verl configuration: {error}")
