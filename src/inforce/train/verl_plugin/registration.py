"""Registers agent loops, estimators and the trainer with verl (entry point ``verl.plugins``).

verl imports this in every process it starts, and reports nothing if it cannot find it. To check:
``python -m inforce.train.verl_plugin.registration``.
"""

from __future__ import annotations

import sys

import verl

from inforce.train.verl_plugin.agent_loop import MSR2Loop, R1Loop
from inforce.train.verl_plugin.trainer import ShapedTrainer, population, sample

REGISTERED = (R1Loop, MSR2Loop, population, sample, ShapedTrainer)

NAME = "inforce.train.verl_plugin.registration"
"""Name of this module, which is another one while it is run as a program."""


def main() -> int:
    """Print whether verl finds this module in this environment."""
    if NAME not in sys.modules:  # verl imports it when it is itself imported, above
        print(
            f"error: verl {verl.__version__} does not find inforce: install it (pip install "
            f"'inforce[verl]'), and see that VERL_USE_EXTERNAL_PLUGINS does not leave it out",
            file=sys.stderr,
        )
        return 1
    print(f"verl {verl.__version__} knows", ", ".join(one.__name__ for one in REGISTERED))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
