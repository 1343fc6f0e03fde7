"""Which laws an index shows, in which state and under which keys: the rest is left alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

_FORM = 1


@dataclass(frozen=True, slots=True)
class IndexedWorks:
    """The state of each law (`Corpus.work_snapshots`) and the keys of its documents, by title."""

    states: Mapping[str, str]
    keys: Mapping[str, tuple[str, ...]]

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return sum(map(len, self.keys.values()))

    @classmethod
    def read(cls, folder: Path, snapshot: str) -> Self | None:
        """What was noted of the index of a snapshot; ``None`` where nothing can be read."""
        try:
            value: Any = json.loads(_path(folder, snapshot).read_text(encoding="utf-8"))
            if value["form"] != _FORM:
                return None
            laws = cast("dict[str, list[Any]]", value["laws"])
            states = {title: str(state) for title, (state, _) in laws.items()}
            return cls(states, {title: tuple(keys) for title, (_, keys) in laws.items()})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, folder: Path, snapshot: str) -> None:
        """Note it beside the index; where that cannot be done the next update reads all laws."""
        laws = {title: [state, self.keys.get(title, ())] for title, state in self.states.items()}
        path = _path(folder, snapshot)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            written = json.dumps({"form": _FORM, "laws": laws}, ensure_ascii=False)
            temporary.write_text(written, encoding="utf-8")
            temporary.replace(path)
            for earlier in folder.glob("laws-*.json"):
                if earlier != path:
                    earlier.unlink(missing_ok=True)


def _path(folder: Path, snapshot: str) -> Path:
    return folder / f"laws-{snapshot[:24]}.json"
