"""What agents say to models: one text a prompt, in our own words, with named gaps."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template


@cache
def prompt(name: str) -> Template:
    """The prompt of a file beside this module; ``$gaps`` are filled by ``substitute``."""
    return Template(files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip())
