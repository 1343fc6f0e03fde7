"""The server: one process that answers programs, browsers and assistants as the library does.

`inforce.serve.app.create_app` makes the ASGI application of a library, `inforce.serve.processes`
runs it. What is asked and answered is in `inforce.serve.operations`: the routes and the OpenAPI
document are made from the same list.
"""
