"""Options for agents: their model, sources and tools, and the limits of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from inforce.agents.registry import EXTRACTIVE, METHODS

Trial = Annotated[
    str | None,
    typer.Option("--trial", help="The day of the trial, where the law at trial matters."),
]
Agent = Annotated[
    str,
    typer.Option(
        "--agent",
        help=f"Who answers: {EXTRACTIVE} quotes and explains; {', '.join(METHODS)} research.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model", help="openai:NAME, http://host:port/v1#NAME, recorded:FILE or offline."
    ),
]
Sources = Annotated[
    str | None,
    typer.Option("--sources", help="What the agent works with: statutes,web,… (see the docs)."),
]
Web = Annotated[
    str | None, typer.Option("--web", help="serper, tavily, ddgs, searxng:URL or recorded:FILE.")
]
Documents = Annotated[
    Path | None, typer.Option("--documents", help="A folder of your own documents.")
]
World = Annotated[
    Path | None, typer.Option("--world", help="A folder of tables as LegalAgentBench has them.")
]
Corpus = Annotated[
    Path | None,
    typer.Option("--corpus", help="A corpus file, or statute files to load; else your own."),
]
AllowOutward = Annotated[
    bool,
    typer.Option("--allow-outward", help="Let web searches quote your documents and tables."),
]
Routing = Annotated[
    Literal["tag", "gate", "agent"],
    typer.Option("--routing", help="Who decides which source a request goes to."),
]
PromptLanguage = Annotated[
    Literal["zh", "en"], typer.Option("--language", help="Of prompts and tools.")
]
Tools = Annotated[
    Path | None, typer.Option("--tools", help="A YAML file with your own tool descriptions.")
]
Trace = Annotated[
    Path | None,
    typer.Option("--trace", help="Write every step to this file; go on with it if it exists."),
]
MaxTurns = Annotated[
    int | None, typer.Option("--max-turns", min=1, help="Rounds of the agent at most.")
]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", min=0, help="Tokens to spend at most.")
]
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", min=0, help="Calls of the model at most.")
]
MaxDollars = Annotated[
    str | None, typer.Option("--max-dollars", help="US dollars to spend at most.")
]
MaxSeconds = Annotated[
    float | None, typer.Option("--max-seconds", min=0, help="Seconds to take at most.")
]
Cache = Annotated[
    Path | None, typer.Option("--cache", help="Store the model's replies in this file.")
]
Replay = Annotated[bool, typer.Option("--replay", help="Use stored replies only; ask no model.")]
Verify = Annotated[
    bool, typer.Option("--verify", help="Check what the agent's answer cites and quotes.")
]
