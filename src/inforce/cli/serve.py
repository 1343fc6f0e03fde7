"""``inforce serve``: the library for programs, browsers and assistants; its tokens."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from inforce.cli.output import CLOCK_VARIABLE, Json, console, print_json
from inforce.corpus.home import home
from inforce.errors import MissingExtraError
from inforce.llm.chat import OFFLINE

if TYPE_CHECKING:
    from inforce.serve.tokens import TokenFile

command = typer.Typer(help="Answer over HTTP, for programs and browsers.", rich_markup_mode=None)
token = typer.Typer(help="Who may ask a server that others can reach.", rich_markup_mode=None)
command.add_typer(token, name="token")


Host = Annotated[
    str, typer.Option("--host", help="The address to listen at; others than this machine's.")
]
Auth = Annotated[
    Literal["none", "token", "header"],
    typer.Option("--auth", help="Who may ask: token: inforce serve token; header: a proxy."),
]
UserHeader = Annotated[str, typer.Option("--user-header", help="In which a proxy says who asks.")]
Hosts = Annotated[list[str] | None, typer.Option("--allowed-host", help="A name of this server.")]
Cors = Annotated[list[str] | None, typer.Option("--cors", help="Another site whose pages may ask.")]
Rate = Annotated[
    int, typer.Option("--rate", min=0, help="Requests a minute of one caller at most.")
]
Model = Annotated[
    str, typer.Option("--model", help="Takes the turns of agents; requests cannot choose.")
]
RunTokens = Annotated[
    int | None, typer.Option("--max-tokens", min=0, help="Tokens of one run at most.")
]
RunDollars = Annotated[
    str | None, typer.Option("--max-dollars", help="US dollars of one run at most.")
]
CallerTokens = Annotated[
    int | None,
    typer.Option("--caller-tokens", min=0, help="Tokens of one caller in 24 hours at most."),
]
CallerDollars = Annotated[
    str | None,
    typer.Option("--caller-dollars", help="US dollars of one caller in 24 hours at most."),
]


@command.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535)] = 8642,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes.")] = 1,
    auth: Auth = "none",
    user_header: UserHeader = "X-Forwarded-User",
    allowed_host: Hosts = None,
    cors: Cors = None,
    rate: Rate = 0,
    model: Model = OFFLINE,
    web: Annotated[str, typer.Option("--web", help="The web search of agents.")] = "",
    max_tokens: RunTokens = None,
    max_dollars: RunDollars = None,
    caller_tokens: CallerTokens = None,
    caller_dollars: CallerDollars = None,
    log_questions: Annotated[
        bool, typer.Option("--log-questions", help="Let logs contain what was asked.")
    ] = False,
) -> int:
    """Serve the library over HTTP until interrupted."""
    if context.invoked_subcommand is not None:
        return 0
    try:
        from inforce.serve.processes import serve as run
        from inforce.serve.settings import ServeSettings
    except ImportError as error:
        raise MissingExtraError("the server", "serve") from error
    settings = ServeSettings(
        host=host,
        port=port,
        workers=workers,
        auth=auth,
        user_header=user_header,
        allowed_hosts=tuple(allowed_host or ()),
        cors_origins=tuple(cors or ()),
        requests_a_minute=rate,
        model=model,
        web=web,
        run_tokens=max_tokens,
        run_dollars=max_dollars,
        caller_tokens=caller_tokens,
        caller_dollars=caller_dollars,
        log_questions=log_questions,
    )
    run(settings, today=os.environ.get(CLOCK_VARIABLE, ""))
    return 0


Name = Annotated[str, typer.Argument(help="Who, or what, uses the token.")]


@token.command()
def add(name: Name, as_json: Json = False) -> int:
    """Make a token. It is shown once; only its hash is stored."""
    secret = _tokens().add(name)
    if as_json:
        print_json({"name": name, "token": secret})
    else:
        print(secret)
    return 0


@token.command("list")
def list_tokens(as_json: Json = False) -> int:
    """The names of the tokens, and since when each is there."""
    tokens = _tokens().tokens()
    if as_json:
        print_json([{"name": one.name, "created": one.created} for one in tokens])
    else:
        for one in tokens:
            console().print(f"{one.name}  {one.created}")
    return 0


@token.command()
def revoke(name: Name) -> int:
    """Remove a token: the next request with it is refused."""
    _tokens().revoke(name)
    return 0


def _tokens() -> TokenFile:
    from inforce.serve.tokens import FILE, TokenFile

    return TokenFile(home() / FILE)
