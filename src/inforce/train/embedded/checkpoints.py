"""Checkpoints, from which training resumes as if it had never been interrupted.

The checkpoint before the first step is always kept: KL divergence is measured from that policy.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch.optim import Optimizer
from transformers import PreTrainedModel

from inforce.errors import InputError


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """A folder of checkpoints, ``step-000010.pt`` and so on."""

    folder: Path

    def steps(self) -> list[int]:
        """Return the steps after which there is a checkpoint, in order."""
        names = (path.stem.removeprefix("step-") for path in self.folder.glob("step-*.pt"))
        return sorted(int(name) for name in names if name.isdecimal())

    def save(self, step: int, model: PreTrainedModel, optimizer: Optimizer, notes: Any) -> None:
        """Store training and notes of plain values; a crash leaves no half-written checkpoint."""
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._path(step).with_suffix(".unfinished")
        weights, moments = model.state_dict(), optimizer.state_dict()
        state = {"notes": notes, "model": weights, "optimizer": moments, "rng": _rng_state()}
        with unfinished.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())  # else, after a power failure, the name is there without it
        unfinished.replace(self._path(step))

    def restore(self, step: int, model: PreTrainedModel, optimizer: Optimizer) -> Any:
        """Restore model, optimizer and all random number generators; returns the notes."""
        state = self.load_weights(step, model)
        optimizer.load_state_dict(state["optimizer"])
        _restore_rng(state["rng"])
        return state["notes"]

    def load_weights(self, step: int, model: PreTrainedModel) -> dict[str, Any]:
        """Load the weights of a checkpoint into a model; returns the whole checkpoint.

        Raises:
            InputError: if it cannot be read, or is of another model.
        """
        path = self._path(step)
        try:
            # Weights and plain values only: a checkpoint cannot run code. On the CPU first: a GPU
            # may not have memory for the weights twice.
            state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            if missing := {"notes", "model", "optimizer", "rng"} - state.keys():
                raise ValueError(f"it lacks {', '.join(sorted(missing))}")
        except Exception as error:  # the library raises many kinds
            then = "resumes from the one before" if step else "in another folder begins anew"
            reason = f"not a checkpoint ({error}): delete it, and training {then}"
            raise InputError(reason, path=path) from error
        try:
            model.load_state_dict(state["model"])
        except RuntimeError as error:
            raise InputError("a checkpoint of another model", path=path) from error
        return state

    def prune(self, *, keep: int) -> None:
        """Delete all checkpoints but the newest ones, and the one before the first step."""
        for step in self.steps()[1:-keep]:
            self._path(step).unlink()

    def _path(self, step: int) -> Path:
        return self.folder / f"step-{step:06d}.pt"


def _rng_state() -> dict[str, Any]:
    """Return the state of every generator as plain values (the engine's draws need none)."""
    name, keys, *rest = cast("tuple[Any, ...]", np.random.get_state())
    own = {"python": random.getstate(), "numpy": [name, keys.tolist(), *rest]}
    return {**own, "torch": torch.get_rng_state(), "cuda": torch.cuda.get_rng_state_all()}


def _restore_rng(state: dict[str, Any]) -> None:
    random.setstate(state["python"])
    name, keys, *rest = state["numpy"]
    np.random.set_state((name, np.array(keys, dtype=np.uint32), *rest))
    torch.set_rng_state(state["torch"])
    torch.cuda.set_rng_state_all(state["cuda"][: torch.cuda.device_count()])
