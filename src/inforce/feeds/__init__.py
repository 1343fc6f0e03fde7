"""Public sources of law texts: what they are, and fetching from them, again and again.

`catalogue` names the sources with their licences, `repository` brings git repositories up to date,
`register_folder` the texts of the national register (`register`), `fetching` is the one door to
both, `lookups` what a person looked up before and what has changed since.
"""
