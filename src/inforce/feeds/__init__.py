"""Public sources of law texts: what they are, and fetching from them, again and again.

`catalogue` names the sources with their licences, `repository` brings git repositories up to date,
`register` asks the national register of laws, `fetching` is the one door to both, `lookups` what a
person looked up before and what has changed since.
"""
