"""Learn what `inforce.retrieval` ships: ``encoder.npz``, ``asked.npz`` and ``ranker.tsv``.

::

    recipes/finding.sh --data ../shared/data          # writes into src/inforce/retrieval/data
    recipes/finding.sh --data ../shared/data --output folder

DATA holds ``statutes``, ``questions``, ``ljp``, ``sources`` and the items of the evaluations, which
are needed so that nothing is learned from them. One process and one thread; about half an hour.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from inforce.retrieval.known_questions import KnownQuestions
from inforce.retrieval.ranker import ranker_lines
from search_training.encoder import learn_questions, weights_of
from search_training.experiment import out_of_fold, prepare, records_of
from search_training.ranking import learned_ranker

ROOT = Path(__file__).resolve().parents[1]

_RANKER = """\
# Weights of the features of candidates (inforce.retrieval.candidates says what each is). Parts:
# channels: over all candidates; all: over the best of these, texts read; chance: from sums to a
# chance. Written by recipes/finding.sh. Part, feature, weight; tabs between.
"""


def main() -> int:
    """Learn, write, end."""
    options = _options()
    started = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - started:6.0f} s  {text}", file=sys.stderr, flush=True)

    output: Path = options.output
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="inforce-finding-") as home:
        data = prepare(options.data, Path(home), seed=options.seed, report=report)
        items = [item for _, item in out_of_fold(data, "blocks", seed=options.seed, report=report)]
    everything = range(len(data.questions))
    ranker = learned_ranker(items)
    learned = learn_questions(data.start, data.pairs, data.asked, everything, seed=options.seed)
    weights_of(data.pairs.vocabulary, learned).write(output / "encoder.npz")
    KnownQuestions.of(records_of(data, everything)).write(output / "asked.npz")
    lines = ranker_lines(ranker)
    (output / "ranker.tsv").write_text(_RANKER + "\n".join(lines) + "\n", encoding="utf-8")
    report(f"written to {output}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Learn to find the provision a question means.")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--output", type=Path, default=ROOT / "src/inforce/retrieval/data")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
