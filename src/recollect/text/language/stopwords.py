"""Words that say how a sentence is built, not what it is about."""

from __future__ import annotations

STOPWORDS = frozenset(
    """
    a about above after again against ain all also am an and any anyone anything are aren as at be because been
    before being below between both but by can cannot could couldn d did didn do does doesn doing don done down
    during each either else ever every few for from further get gets getting give given go goes going gonna got
    had hadn has hasn have haven having he hello help her here hers herself hey hi him himself his how i if im in
    into is isn it its itself ive just kind know let lets like ll look lot m make makes me might mine more most
    much must mustn my myself need needs no nor not now o of off ok okay on once one only or other our ours
    ourselves out over own please re really right s same say see shall shan she should shouldn so some somebody
    someone something sort still such sure t take tell than thank thanks that the their theirs them themselves
    then there these they thing things think this those though through to too under until up upon us use used
    uses using ve very via want wants was wasn way we well were weren what whatever when where whether which
    while who whom whose why will with within without won would wouldn y yes yet you your yours yourself
    yourselves
    """.split()
)
