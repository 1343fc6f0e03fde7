"""Training as it stood after a step, kept so that it can go on as if never interrupted."""

from __future__ import annotations

import os
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from transformers import PreTrainedModel

from inforce.errors import InputError

_NAME = re.compile(r"step-(\d{6,})\.pt")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What stands in a file."""

    step: int
    plan: dict[str, Any]
    model: dict[str, Any]
    optimizer: dict[str, Any]
    chance: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """A folder of checkpoints.

    The one before the first step is always there: the policy training began with, from which
    divergence is measured.
    """

    folder: Path

    def steps(self) -> list[int]:
        """The steps after which training was kept, in order."""
        found = (_NAME.fullmatch(path.name) for path in self.folder.glob("step-*.pt"))
        return sorted(int(one[1]) for one in found if one)

    def save(
        self,
        step: int,
        model: PreTrainedModel,
        optimizer: torch.optim.Optimizer,
        plan: dict[str, Any],
    ) -> None:
        """Keep training as it stands; a crash on the way leaves no half checkpoint behind."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(step)
        unfinished = path.with_suffix(".unfinished")
        with unfinished.open("wb") as file:
            torch.save(
                {
                    "step": step,
                    "plan": plan,
                    "model": model.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "chance": _chance(),
                },
                file,
            )
            file.flush()
            os.fsync(file.fileno())  # else, after a power failure, the name is there without it
        unfinished.replace(path)

    def restore(
        self, step: int, model: PreTrainedModel, optimizer: torch.optim.Optimizer
    ) -> dict[str, Any]:
        """Put model, optimizer and sources of chance back to where they were; gives the plan.

        Raises:
            InputError: if the checkpoint cannot be read, or is of another model.
        """
        kept = self._read(step)
        self._put(model, kept.model, step)
        optimizer.load_state_dict(kept.optimizer)
        _restore_chance(kept.chance)
        return kept.plan

    def policy(self, step: int, model: PreTrainedModel) -> None:
        """Give a model the weights the policy had after a step."""
        self._put(model, self._read(step).model, step)

    def forget(self, *, keep: int) -> None:
        """Delete all but the newest, and the one before the first step."""
        for step in self.steps()[1:-keep]:
            self._path(step).unlink()

    def _path(self, step: int) -> Path:
        return self.folder / f"step-{step:06d}.pt"

    def _read(self, step: int) -> _Kept:
        path = self._path(step)
        try:
            # Weights and plain values only: a checkpoint cannot run code. Whoever takes them puts
            # them where they belong: a card has no room for them twice.
            return _Kept(**torch.load(path, map_location="cpu", weights_only=True))
        except Exception as error:  # the library raises many kinds
            then = "goes on from the one before" if step else "in another folder begins anew"
            reason = f"not a checkpoint ({error}): delete it, and training {then}"
            raise InputError(reason, path=path) from error

    def _put(self, model: PreTrainedModel, weights: dict[str, Any], step: int) -> None:
        try:
            model.load_state_dict(weights)
        except RuntimeError as error:
            raise InputError("a checkpoint of another model", path=self._path(step)) from error


def _chance() -> dict[str, Any]:
    """Where every source of chance stands, in plain values.

    The sampler's is not among them: what it draws follows from the step.
    """
    name, keys, *rest = cast("tuple[Any, ...]", np.random.get_state())
    return {
        "python": random.getstate(),
        "numpy": [name, keys.tolist(), *rest],
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all(),
    }


def _restore_chance(kept: dict[str, Any]) -> None:
    random.setstate(kept["python"])
    name, keys, *rest = kept["numpy"]
    np.random.set_state((name, np.array(keys, dtype=np.uint32), *rest))
    torch.set_rng_state(kept["torch"])
    torch.cuda.set_rng_state_all(kept["cuda"][: torch.cuda.device_count()])
