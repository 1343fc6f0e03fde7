"""``inforce mcp``: the library as tools of an assistant or editor, on standard input and output."""

from __future__ import annotations

from inforce.cli.output import user_library
from inforce.errors import MissingExtraError


def mcp() -> int:
    """Answer an assistant or editor (Model Context Protocol, stdio)."""
    try:
        from inforce.serve.mcp.server import serve_stdio
    except ImportError as error:
        raise MissingExtraError("the server for assistants", "serve") from error
    import asyncio

    with user_library() as library:
        asyncio.run(serve_stdio(library))
    return 0


command = mcp
