"""The server: one process that answers programs, browsers and assistants as the library does.

`inforce.serve.app.create_app` makes the ASGI application of a library, `inforce.serve.processes`
runs it. What can be asked is described once, in `inforce.serve.operations`: the routes, the OpenAPI
document and the tools of assistants are made from it.
"""
