"""Writes cases with a term of imprisonment as verl's training and validation data for MSR2.

``python -m inforce.train.verl_plugin.sentencing cases.jsonl.gz FOLDER`` writes ``train.parquet``
and ``val.parquet`` there, split as by the judgment benchmark. Neither has cases of its test side or
of collections that other evaluations use.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from inforce.errors import InforceError
from inforce.scoring.cases import read_cases
from inforce.scoring.split import split
from inforce.train.data.cases import sentencing_questions
from inforce.train.data.rows import write_rows

AGENT = "inforce_msr2"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m inforce.train.verl_plugin.sentencing",
        description="Write cases with a term of imprisonment as verl's data for MSR2.",
    )
    parser.add_argument("cases", type=Path, help="cases in CAIL2018's form")
    parser.add_argument("folder", type=Path, help="where train.parquet and val.parquet go")
    options = parser.parse_args(arguments)
    try:
        write(options.cases, options.folder)
    except InforceError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def write(cases: Path, folder: Path) -> None:
    """Write both files, and print how many questions each has.

    Raises:
        InputError: if the cases cannot be read.
        MissingExtraError: if pyarrow is not installed.
    """
    sides = split(read_cases(cases))
    for name, side in (("train.parquet", sides.train), ("val.parquet", sides.valid)):
        questions = sentencing_questions(side)
        write_rows(folder / name, questions, agent=AGENT)
        print(f"{folder / name}: {len(questions)}")


if __name__ == "__main__":
    raise SystemExit(main())
