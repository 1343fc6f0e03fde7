"""Web search: one form of question and answer for every search service.

A page without results says that the service found none. Everything else that leaves a question
unanswered (a refused key, a spent quota, no network, a reply that cannot be read) is a
`SearchFailure`, never an empty page.
"""
