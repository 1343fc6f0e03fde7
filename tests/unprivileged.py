"""Commands for which permissions count, although the tests may be run by root."""

from __future__ import annotations

import os
import shutil

import pytest


def unprivileged(*command: str) -> list[str]:
    """A command that may not write where the permissions say so, though root runs the tests."""
    if os.geteuid() != 0:
        return list(command)
    if shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere here: needs setpriv")
    return ["setpriv", "--bounding-set", "-dac_override", "--", *command]
