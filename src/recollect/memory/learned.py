"""What each sign of `recollect.memory.signs` is worth. Written by `python -m benchmarks.learn_recall`."""

from __future__ import annotations

BIAS = -6.4031
ENOUGH = 0.32  # the chance that is worth a turn's tokens
WEIGHTS = (
    1.0181,  # mass
    0.7474,  # best
    -0.4213,  # rare
    0.9635,  # common
    2.5237,  # of_entry
    2.7246,  # of_prompt
    1.1842,  # names
    1.6625,  # identifiers
    -0.7770,  # folder
    1.1363,  # repaired
    -0.2725,  # lead
    0.3424,  # first
    0.5061,  # length
    -2.2312,  # quoted
    -1.7407,  # general
    -0.3157,  # asides
    0.3095,  # relevance
    0.6852,  # only
    0.5083,  # subject
    -0.1797,  # mention
    0.0575,  # two_rare
    0.1098,  # log_of_entry
    0.0723,  # long_mass
)
