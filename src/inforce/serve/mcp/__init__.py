"""The library for assistants and editors: the Model Context Protocol, over stdio and over HTTP.

`inforce.serve.mcp.tools` lists the tools: operations of `inforce.serve.operations` with results
short enough for a model (`inforce.serve.mcp.values`). `inforce.serve.mcp.server` speaks the
protocol.
"""
