"""Documents that somebody wrote: one reader for Word, PDF, HTML, Markdown and plain text.

`parsing.DocumentParser` turns a file, bytes or standard input into a `document.Document`: text in
blocks, each with its kind, its page and its place in the original. Files are parsed in a process of
their own (`worker`), under one set of limits (`limits`). `files` and `json_records` read text files
and JSON, `charset` decides what bytes stand for.
"""
