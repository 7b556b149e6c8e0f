"""What a person typed that says plainly that something is different now: "btw metrics are on :9100 now".

It counts only against something that is stored, so it need not sound like a rule. Where trust hangs on words the rule
is strict: a question, an order, a condition, a doubt, a quotation, a report of trouble or words for today never count.
"""

from __future__ import annotations

import re

from recollect.memory.gapfill.cues import cues_of
from recollect.memory.gapfill.finding import Found, is_passing, is_personal, read_message, span_of, stated
from recollect.memory.gapfill.statements import own_words
from recollect.text.language.sentences import QUOTE
from recollect.text.language.take_backs import meant_from
from recollect.text.secrets import redacting as secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.memory.gapfill.finding import Reading
    from recollect.model.entries import Scope
    from recollect.text.language.sentences import Sentence

MOST_SENTENCES = 4  # of a message: who tells a change says little else
LONGEST = 240

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONATE = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
_FROM_A_DAY = (
    r"\b(?:from|starting (?:in|with|on)|beginning (?:in|with|on)|as of|effective) (?:the )?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{_MONTHS})\b"
    r"|\b(?:starting|beginning) with \d[\w.]*"
    rf"|\bab (?:dem )?(?:\d{{1,2}}\. ?)?(?:{_MONATE})\b|\bà partir d[eu]\b|\ba partir de\b"
)
_LIFTED = (
    r"\b(?:may|can) [^.;,]{1,50} again\b|\b(?:is|are) (?:allowed|fine|ok|okay|alright|unblocked|unfrozen) again\b"
    r"|\bno longer (?:blocked|frozen|forbidden|banned)\b|\bdarf [^.;,]{0,50}wieder\b"
)
# That something is no longer as it was.
_CHANGED = re.compile(
    r"(?<!for )(?<!right )(?<!just )(?<!until )\bnow\b|(?:,| and) not\b"
    r"|\b(?:these days|nowadays|no longer|any ?more|instead of|took over|taken over|inherited|renamed|called)\b"
    r"|\b(?:moved|switched|migrated|went|changed|back|handed|swapped|raised|lowered)\b[^.;]{0,40}? (?:to|for)\b"
    r"|\b(?:replaced|ditched|dropped)\b[^.;]{0,40}? (?:by|with|for|in favou?r of)\b"
    r"|\b(?:goes up|is up|is down|goes down) to\b|\bgoes by the name\b"
    r"|\b(?:isn't|aren't|is not|are not) [^.;]{1,30}, (?:it|that)'s\b"
    r"|\b(?:has (?:left|retired|gone)|is (?:on leave|gone|out)|left us|got rid of)\b"
    r"|\b(?:taken [^.;]{1,60} over from|passed [^.;]{1,40} on to)\b"
    rf"|{_FROM_A_DAY}|{_LIFTED}"
    r"|\b(?:inzwischen|mittlerweile|ab sofort|ab jetzt|jetzt|statt|nicht mehr|abgegeben|übernommen|umbenannt)\b"
    r"|\b(?:désormais|maintenant|s'appelle|reprend|quitté|remplacée?|est partie?|n'est plus|et pas|, pas)\b"
    r"|\b(?:ahora|ya no|se ha ido|ha pasado a|en vez de|se llama)\b",
    re.IGNORECASE,
)
# Who tells something has a verb that tells, or only says where things went: "back to pnpm".
_TOLD = re.compile(
    r"\b(?:is|are|was|were|has|have|had|we|i|[a-z]+'(?:s|re|ve)|uses?|runs?|lives?|took|owns?|goes|sits?|listens?|answers?"
    r"|moved|switched|migrated|went|changed|handed|renamed|replaced|dropped|ditched|swapped|needs?|takes?|starts?|closes?"
    r"|expires?|happens|comes|lasts|stays|holds|keeps|points|belongs|costs|gets?|fires|does|inherited|left|may|can"
    r"|ist|sind|läuft|laufen|liegt|liegen|steht|stehen|heißt|wir|hat|haben|gibt|geht|darf|est|sont|on a|c'est|s'appelle"
    r"|reprend|está|están|es|lleva|ha)\b"
    r"|^\W*(?:(?:no|ok|okay|actually|btw|fyi)\W+)*back (?:to|on)\b",
    re.IGNORECASE,
)
_KEEPS_OUT = frozenset("now suppose doubt joke reported ask please want trouble will building order".split())
# On a condition; besides something else; under way; perhaps; asked or ordered; tried once; somebody else's.
_NOT_SO = re.compile(
    r"\b(?:if|when|whenever|unless|once|while|as soon as|in case|wenn|falls|sobald|ob|quand|cuando|si)\b"
    r"|\b(?:auch|noch|vielleicht|gerade|heute|aussi|encore|peut-être|aujourd'hui|también|todavía|quizás?|hoy)\b"
    r"|\b(?:also|as well|too|both|another|additionally|still)\b"
    r"|\b(?:almost|about to|try|trying|(?:am|is|are) (?!using\b)\w+ing|[a-z]+'(?:m|re|s) (?!using\b)\w+ing)\b"
    rf"|\b(?:[a-z]+'d|shall|must|should|(?!{_LIFTED})(?:may|can))\b"
    r"|^[\s(-]*(?:is|are|was|were|do|does|did|has|have|isn't|aren't|let's|lets|[a-z]+ (?:it|them|this|that))\b"
    r"|\bmy (?:\w+ )?(?:branch|laptop|machine|box|fork|side|worktree)\b"
    r"|\b(?:ran|tried|tested|saw|noticed|they|they're|their|theirs|upstream|competitors?|customers?|in the docs)\b",
    re.IGNORECASE,
)


def find_changes(text: str, *, before: str = "", at: float = 0.0) -> list[Found]:
    """The sentences of a typed message that tell of a change; each counts only where it changes what is stored."""
    if not _CHANGED.search(" ".join(text.split())):
        return []  # nearly every message: nothing else is read of it
    read = read_message(text, before)
    if read.document or not any(read.voiced) or len(read.spoken) > MOST_SENTENCES:
        return []
    meant = meant_from(read.own, read.spoken)
    told = [
        one
        for one, mine in zip(read.spoken, read.voiced, strict=True)
        if mine and one.start >= meant and _tells_change(one.shadow)
    ]
    marked = secrets.find(text) if told else []
    found = [_found(read, one, stated(read, one, marked, at)) for one in told]
    return [one for one in found if one.statement]


def _found(read: Reading, one: Sentence, statement: str) -> Found:
    start, end = span_of(one, read)
    personal = is_personal(cues_of(one.shadow), own_words(read.own[one.start : one.end]))
    scope: Scope = "user" if personal else "repository"
    return Found(statement, start, end, "correction", scope, 0.0, sure=False, whole=True, because="changed")


def _tells_change(shadow: str) -> bool:
    if len(shadow) > LONGEST or QUOTE in shadow or not _CHANGED.search(shadow) or not _TOLD.search(shadow):
        return False
    cues = cues_of(shadow)
    return _KEEPS_OUT.isdisjoint(cues) and not is_passing(cues, shadow) and not _NOT_SO.search(shadow)
