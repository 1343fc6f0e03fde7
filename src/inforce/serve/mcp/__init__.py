"""The library for assistants and editors: the Model Context Protocol, over stdio and over HTTP.

`inforce.serve.mcp.tools` lists what can be called: the operations of HTTP, with the results of
`inforce.serve.mcp.values`, short enough for a model. `inforce.serve.mcp.server` speaks the
protocol.
"""
