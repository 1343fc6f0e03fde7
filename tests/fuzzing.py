"""How many damaged inputs each reader of foreign input is fed."""

from __future__ import annotations

import os

INPUTS = int(os.environ.get("INFORCE_FUZZ", "500"))
"""500 with every change; `make test-slow` feeds 10,000."""
