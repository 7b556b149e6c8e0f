"""Sentences that disown what was said before them: "Just kidding.", "Not!", "As if.", "Said nobody ever."

A small closed list of short sentences, so that no sentence counts without the joke that belongs to it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.text.language.sentences import Sentence

MOST_WORDS = 8

_JOKES = frozenset(
    "kidding joking joke joked jk lol lmao rofl sarcasm sarcastic sarcastically ironic irony trolling psych sike fools"
    " nobody noone hypothetically ha haha hahaha hehe heh nvm nevermind".split()
)
_WHOLE = frozenset(
    one.strip()
    for one in """
    not|no|nope|nah|never|as if|yeah right|sure|right|correct|true|really|seriously|wait|hold on|hang on|never mind
    |not really|not at all|not actually|not seriously|of course not|absolutely not|definitely not|obviously not|hell no
    |or not|maybe not|or maybe not|but not really|no wait|wait no|on second thought|on second thoughts|no way|i wish
    |don't|dont|do not|please don't|or don't|but don't|isn't it|aren't we|don't we|in your dreams|i'm not serious
    |scratch that|scratch this|strike that|forget that|forget it|forget this|ignore that|ignore this|disregard that
    |cancel that|undo that|that's wrong|that is wrong|that's not true|that is not true|that's a lie|that was a test
    """.split("|")
)
_OPENINGS = (
    *("said ", "says ", "so said ", "so says ", "that's what ", "thats what ", "that is what ", "this is what "),
    *("i don't mean ", "i dont mean ", "i do not mean ", "i didn't mean ", "i did not mean ", "that was an example"),
    *("don't do ", "do not do ", "don't actually ", "do not actually ", "please don't do ", "but don't do "),
    *("ignore the above", "ignore the last", "ignore my last", "ignore what i ", "forget what i ", "disregard what i "),
)
# "No wait, the linter is flake8": what came before was not meant, and this is.
_ANEW = ("no wait ", "wait no ", "scratch that ", "strike that ")
_EDGES = " \t.!?…,;:-–—*_~\"'“”()"


def disowns(sentence: str) -> bool:
    """Does this short sentence say that what stands before it was not meant?"""
    bare = _bare(sentence)
    words = bare.split(" ")
    if len(words) > MOST_WORDS:
        return False
    return bare in _WHOLE or bare.startswith(_OPENINGS) or not _JOKES.isdisjoint(words)


def meant_from(text: str, sentences: Iterable[Sentence]) -> int:
    """From where on in a text nothing is disowned by a later sentence."""
    return max((_disowned(one, text[one.start : one.end]) for one in sentences), default=0)


def _disowned(one: Sentence, said: str) -> int:
    """Up to where this sentence disowns the text; 0 where it does not."""
    if disowns(said):
        return one.end
    return one.start if _bare(said).startswith(_ANEW) else 0


def _bare(sentence: str) -> str:
    words = sentence.replace("’", "'").casefold().split(None, MOST_WORDS)
    return " ".join(filter(None, (word.strip(_EDGES) for word in words)))
