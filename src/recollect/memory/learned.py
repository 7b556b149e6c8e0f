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

# Where somebody knows how near in meaning an entry is.
NEAR_BIAS = -6.7724
NEAR_ENOUGH = 0.48  # the chance that is worth a turn's tokens
NEAR_WEIGHTS = (
    1.0476,  # mass
    1.0953,  # best
    -0.1062,  # rare
    0.8364,  # common
    5.7837,  # of_entry
    -0.1449,  # of_prompt
    1.2920,  # names
    2.1388,  # identifiers
    -0.4985,  # folder
    1.7666,  # repaired
    -0.3828,  # lead
    0.3345,  # first
    -0.0506,  # length
    -2.0229,  # quoted
    -2.6151,  # general
    -0.9271,  # asides
    0.5153,  # relevance
    0.4473,  # only
    0.3746,  # subject
    -0.1460,  # mention
    0.2021,  # two_rare
    0.0062,  # log_of_entry
    0.1383,  # long_mass
    2.8167,  # near
    0.3880,  # near_spread
    1.3720,  # near_lead
    -0.5357,  # nearest
    3.7450,  # rather_near
    0.1851,  # very_near
    -0.2708,  # near_words
    0.7263,  # near_mass
    2.0722,  # near_aside
    1.2146,  # near_length
    -9.9287,  # near_of_entry
    -3.0867,  # near_rare
    -0.1184,  # near_names
)
