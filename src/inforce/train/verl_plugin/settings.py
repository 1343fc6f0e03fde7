"""Our own settings in a configuration of verl: the node ``inforce``.

It is a separate node because verl refuses unknown keys in its own nodes.
"""

from __future__ import annotations

from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from inforce.agents.settings import ResearchOptions, ResearchSettings
from inforce.errors import UserError
from inforce.tools.tool import Language

NODE = "inforce"


class World(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The environment agents work in."""

    today: date
    """The meaning of "today" in an episode."""
    language: Language = "zh"
    corpus: str | None = None
    """A corpus file, or statute files; by default the user's own corpus."""
    sources: str = ""
    """Kinds of sources as `inforce.agents.settings.read_sources` reads them; empty: the agent's."""
    web: str = ""
    """A web search as `inforce.web.search.opening.open_provider` names it; empty: none."""
    documents: str | None = None
    reader: str = ""
    """The model that summarises pages for tools; empty: tools return what they found."""
    max_turns: int | None = None

    @property
    def corpus_path(self) -> Path | None:
        """The corpus as a path."""
        return Path(self.corpus) if self.corpus else None

    def research(self, agent: str) -> ResearchSettings:
        """Return the settings of an agent's runs.

        Raises:
            UserError: if there is no such source.
        """
        options = ResearchOptions(
            agent=agent,
            sources=self.sources or None,
            web=self.web,
            documents=self.documents,
            language=self.language,
            max_turns=self.max_turns,
            network=False,
        )
        return ResearchSettings().with_options(options)


class Shaping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entropy-based advantage shaping (LegalSearch-R1, equation 5)."""

    alpha: float = 0.0
    """Strength; 0: no shaping."""
    kappa: float = 2.0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole node."""

    world: World
    shaping: Shaping = Shaping()
    turn_tokens: int | None = None
    """Most tokens of one turn; by default as many as in the whole episode."""
    judge: str = ""
    """The model that judges answers, for rewards that need a judge."""


def read_settings(node: Any) -> Settings:
    """Read the settings of a node.

    Args:
        node: the node ``inforce`` as plain values; ``None`` if the configuration has none.

    Raises:
        UserError: if there is none, or a value in it is wrong; says which.
    """
    if node is None:
        raise UserError(f"the configuration has no node {NODE!r}: begin with one of inforce's")
    try:
        return msgspec.convert(node, Settings)
    except msgspec.ValidationError as error:
        raise UserError(f"in the node {NODE!r} of the verl configuration: {error}") from error


def read_node(config: Any) -> Settings:
    """Read the settings from a whole configuration of verl, an omegaconf ``DictConfig``.

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
