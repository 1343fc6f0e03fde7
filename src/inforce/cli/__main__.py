"""``python -m inforce.cli``: the same as ``inforce``."""

from inforce.cli import main

main()
