"""What each sign of `recollect.memory.signs` is worth. Written by `python -m benchmarks.learn_recall`."""

from __future__ import annotations

BIAS = -5.7057
ENOUGH = 0.4  # the chance that is worth a turn's tokens
WEIGHTS = (
    0.6691,  # mass
    1.8726,  # best
    -0.3205,  # rare
    1.2039,  # common
    2.5969,  # of_entry
    0.6079,  # of_prompt
    1.2979,  # names
    1.6275,  # identifiers
    -1.1173,  # folder
    1.1497,  # repaired
    -0.4466,  # lead
    0.4577,  # first
    -0.1004,  # length
    -2.0111,  # quoted
    -1.8432,  # general
    -0.6231,  # asides
    0.6436,  # relevance
    0.4717,  # only
    0.2158,  # subject
    -0.4857,  # mention
    0.2814,  # two_rare
    -0.0187,  # log_of_entry
    0.1786,  # long_mass
)
