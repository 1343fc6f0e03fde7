"""The U-Score of L-MARS (equation 1): how uncertain an answer sounds, by rule.

Five parts, each from 0 (certain) to 1 (uncertain), are weighed into one number. The rules are those
of the evaluation released with the paper, quirks included: they count words, and know nothing of
what is true.
"""

from inforce.evals.legalsearchqa.uscore.score import (
    CODE,
    PAPER,
    Band,
    Parts,
    Weights,
    band,
    parts_of,
    recommendations,
)

__all__ = ["CODE", "PAPER", "Band", "Parts", "Weights", "band", "parts_of", "recommendations"]
