"""Makes agent loops, estimators and the trainer known to verl: its entry point ``verl.plugins``.

verl imports this in every process it starts. It says nothing if that fails: try it by hand with
``python -m inforce.train.verl_plugin.registration``.
"""

from __future__ import annotations

from inforce.train.verl_plugin.agent_loop import MSR2Loop, R1Loop
from inforce.train.verl_plugin.estimators import population, sample
from inforce.train.verl_plugin.trainer import ShapedTrainer

REGISTERED = (R1Loop, MSR2Loop, population, sample, ShapedTrainer)

if __name__ == "__main__":
    print("verl knows", ", ".join(one.__name__ for one in REGISTERED))
