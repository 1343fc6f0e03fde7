"""The command line: one file a command, the same names and results as `inforce.library.Library`.

With ``--json`` a command prints one JSON document on standard output, errors included. Exit status:
0 found or done, 2 usage, 3 not in force then, 4 not found, 5 not covered, 6 bad input,
7 corpus or index, 8 model, 70 a defect of inforce, 130 interrupted, 141 nobody reads the output.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit with its status; the entry point of ``inforce``."""
    gc.set_threshold(50_000)  # what a command makes when it starts is no garbage
    from inforce.cli.commands import run
    from inforce.files import keep_private

    keep_private()

    run(sys.argv[1:] if arguments is None else arguments)
