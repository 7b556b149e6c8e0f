"""How plainly a sentence says what holds in general: "never push to main", "we use pnpm", "all ids are UUIDs".

A few dozen patterns of English over small closed classes of words, and signs of Japanese. They know a rule that is
said outright, which sets how sure the scorer has to be of it. What else people say, and what is only meant for now, the
scorer has learnt.
"""

from __future__ import annotations

import re

from recollect.memory.gapfill.japanese import is_japanese, japanese_signs
from recollect.memory.gapfill.statements import LONGEST, spelled_out
from recollect.model.record import Record
from recollect.text.language import grammar as g
from recollect.text.language import lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.text.language.sentences import Sentence

PLAIN, PLAINEST = 2, 3
_WEAK = "general_no"  # "do not add tests" is mostly about the work at hand
_AGAINST = {"hedged": 2, "trouble": 2, "past": 1}
_OF_THE_PAST = frozenset(("moved", "standing"))  # signs that come in the past by their nature


def _any(*words: str | Iterable[str]) -> str:
    """A group of alternatives, the longest first."""
    each = {word for some in words for word in (some.split() if isinstance(some, str) else some)}
    return f"(?:{'|'.join(sorted(map(re.escape, each), key=lambda word: (-len(word), word)))})"


# Short forms are written out, names and code are one sign each.
_SHORT = re.compile(r"(?<=[a-z])'(re|ve|m|ll|d)\b")
_LONG = {"re": " are", "ve": " have", "m": " am", "ll": " will", "d": " would"}
_SIGN = re.compile(r"([\x01-\x04])\1+")

# Where a new clause may begin, and the conjunctions behind which nothing is said to hold by itself.
_BREAK = re.compile(
    r"[,;:()–—…/]+\s|\s-\s|[.!?]+\s"
    r"|\b(?P<lead>but|because|since|so that|so|and|or|then|as|if|when|whenever|once|before|after|until|unless|while)\b"
    r"|(?<=\S)(?<!\bcan)(?<!\bwhere)(?<!\bdo)(?<!\bshould)(?<!\bmust)(?<!\bhow)(?<!\bwhat)(?<!\bcould)(?<!\bwhich)"
    r" (?=(?:we|i) (?:no longer|still|only|also|never|always|just|do not|use|will) )"
)
_DEPENDENT = (g.CONDITIONS - {"where"}) | {"then", "so that"}
_JOINING = frozenset(("and", "or"))
_EDGE = re.compile(r"^[^\w\x01-\x04]+")
_ENDS = " .!?'\"*-•"
_FILLERS = _any(g.FILLERS - g.HEDGES - {"no"})
# "No, we use pnpm" answers; "no service may" says something.
_OPENING = re.compile(rf"^(?:(?:{_FILLERS}|no(?= (?:we|i|it|that|this|they|the|our|never|always|use|do)\b))\s+)+")

_UNTIL_VERB = "(?:(?:also|only|just|still|always|never|usually|normally|generally|currently|mostly|all|really|strongly"
_UNTIL_VERB += "|now|already|here|do not|no longer) )*"
_MARKED = re.compile(r"\b(?:not|no|never|only|always|still|usually|normally|generally)\b")
_WE_DO = re.compile(rf"(?:(?:last|this) \w+ )?we (?P<marks>{_UNTIL_VERB})(?P<verb>[a-z-]+) (?P<object>\S+)")
_POINTS = frozenset(("this", "that", "these", "those", "it", "them", "him", "her", "us"))
_NO_VERBS = g.PREPOSITIONS | g.DETERMINERS
_CHOOSE = "use adopt support drop switch migrate move keep stick rely deploy host target require"
_OF_A_WHILE = r"(?:on (?:fire|hold|track|time)|in (?:progress|order|sync|flux)|at (?:risk|stake))\b"
_ALL = (
    "(?:all|any|every|each|everything|anything|nothing|everyone|nobody|anyone|only|both|whatever"
    r"|no(?! (?:need|idea|problem|way|longer|more|worries|rush)\b))"
)
_MODAL = "(?:should|must|will|would|could|might|can|may)"
_IT = "(?:i|we|you|it|this|that|these|those|there|he|she|they)"
# A thing, but nothing of the moment: "the staging database", and not "this error".
_THING = (
    rf"(?!{_IT}\b)"
    rf"(?:(?!(?:{_any(g.OF_THE_MOMENT)}|{_MODAL})\b)\S+ ){{1,6}}?"
)
_KEPT_UP = _any(g.ORDERS - {"forget"})
_PLACE = _any(g.PREPOSITIONS - g.CONDITIONS)
# "We never finished it" tells what happened; "secrets are never printed" what holds.
_DONE = (
    r"(?<!\bare )(?<!\bis )(?<!\bbe )\b(?:never|always) (?:[a-z]+ed|got|had|said|made|been|went|did|was|wrote|came) "
)

# What holds, as a whole clause says it.
_CLAIMS = [
    (name, re.compile(pattern))
    for name, pattern in (
        ("habit", rf"i {_UNTIL_VERB}{_any(g.OWN_HABITS)} (?!the |this |that |these |those |it\b|to\b)\S"),
        ("habit", rf"we are {_UNTIL_VERB}(?:using|targeting|hosting|deploying) "),
        ("decision", rf"we (?:will|are going to) (?:always )?{_any(_CHOOSE)}\b"),
        (
            "moved",
            rf"we (?:have )?{_UNTIL_VERB}(?:{_any(g.MOVES)} (?!(?:this|that|these|those|it|them)\b)|(?:decided"
            rf"|agreed|chose) (?:to {_any(_CHOOSE, 'stay')} (?!the |this |that |it\b)|on (?!the |this |a )))",
        ),
        (
            "state",
            rf"{_THING}(?:is|are) (?:(?:now|only|always|also|currently|actually|not) )*"
            rf"(?:{_any(g.PERMANENT)}\b|{_any(g.STATES)} (?:(?:only|also) )*(?:{_PLACE}|here)\b)",
        ),
        (
            "located",
            rf"{_THING}(?:lives?|resides?|sits?|runs?|listens?|belongs?|goes|points?|stays?|ships?|connects?|comes?"
            r"|ends? up)"
            rf" (?:only )?{_PLACE} .*?(?:[\x01\x02\x04]|port \d|:\d|\d{{4}}\b)",
        ),
        (
            "universal",
            rf"{_ALL} (?!works?$)(?:(?!(?:of|these|those|this|that|two|three)\b)\S+ ){{0,6}}?(?:(?:is|are) (?:always )?"
            rf"(?:(?!{_OF_A_WHILE}){_PLACE} (?!{_any(g.DETERMINERS)} )|\x04|{_any(g.STATES)}\b"
            rf"|(?!{_any(g.OF_TODAY)}\b)[\w.-]+$)"
            rf"|{_any(g.STATE_VERBS)}\b|ha(?:s|ve)\b)",
        ),
        (
            "kinds",
            rf"(?!(?:this|is|was|does|has)\b)(?:(?!(?:{_any(g.OF_THE_MOMENT)}|i|we|you|it|they|these|those)\b)[\w-]+ )"
            r"{0,3}?(?!\w*ss )[\w-]+s (?:to \w+ )?(?:always |only |never |all )?"
            r"(?:go|run|need|require|live|belong|use|follow|ship|happen|come|stay|end|start|depend)\b",
        ),
        (
            "duty",
            rf"{_ALL} (?:(?!(?:i|we|you|these|those|this)\b)\S+ ){{0,8}}?"
            r"(?:must|shall|should|can|may|has to|have to|needs? to)\b",
        ),
        ("duty", rf"(?!{_IT}\b)(?:[\w-]+ ){{0,3}}[\w-]+s (?:must not|(?:must|may|can) never) "),
        (
            "recurring",
            rf"{_THING}.*\b(?:each|every) (?:night|day|morning|evening|week|month|quarter|release"
            r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
        ),
        (
            "ever",
            r"(?!(?:it|that|this|i)\b)(?=\S.*\b(?:must|should|shall|can|may)\b)(?!.*\bshould (?:never|always) have\b)"
            r"(?=.*\b(?:never|always|ever)\b).*",
        ),
        (
            "ever",
            rf"(?!.*\b(?:will|would|could|was|were|did|had)\b|.*{_DONE})(?:(?:we|our|my|{_ALL})\b.*\b{_any(g.FREQUENCY)}\b"
            r"(?! again)|(?:\S+ ){0,4}(?!(?:was|has|is|does|this|its)\b)\w+s (?:are )?(?:always|never) )",
        ),
        ("ever", rf"i (?:always|never|usually|normally) {_KEPT_UP}\b"),
        (
            "ended",
            r"(?!.*\bnot (?:know|understand|see|remember|care)\b)(?:we|i)\b.*\b(?:no longer|any ?more)\b"
            r"|no longer (?!\w+ed\b)\w"
            rf"|(?!(?:it|this|that|no longer)\b).*\bno longer {_any(g.ENDINGS)}\b"
            rf"|(?=.*\bnot\b)(?=.*\bany ?more\b).*\b{_any(g.ENDINGS)}\b",
        ),
        ("forbidden", r".*\b(?:(?:is|are) not (?:allowed|permitted)|forbidden|prohibited|off limits|mandatory)\b"),
        (
            "identity",
            r"my (?:name|shell|editor|terminal|time ?zone|laptop|machine|keyboard|screen|os) (?:is|are)\b"
            rf"(?! {_any(g.OF_TODAY)}$)"
            r"|(?:i am|we are) (?:not )?(?:an?|new to|(?:on|at)(?! (?:an?|the|my|our|it|this|that)\b))\b"
            r"(?! (?:bit|little|few|lot))"
            rf"|our (?:(?!{_any(g.OF_THE_MOMENT)} )\S+ ){{1,3}}?(?:is|are) (?!{_any(g.OF_TODAY)}$)[^\s,]+$"
            r"|\S+ is (?:not )?my (?:(?:first|native|main|default|usual) )?"
            r"(?:name|shell|editor|terminal|os|machine|language)\b",
        ),
        (
            "owned",
            rf"{_THING}(?:owns?|maintains?|(?:is|are) (?:responsible for|in charge of)"
            r"|(?:reviews?|approves?|signs? off(?: on)?) (?:everything|every|all|any))\b",
        ),
    )
]
_IN_DOUBT = r"\b(?:if|when|whenever) (?:you are )?(?:unsure|not sure|in doubt)\b"
# What is said to hold from now on, and what a person wants to be asked or answered, anywhere in a sentence.
_SENTENCES = [
    (
        "standing",
        re.compile(
            r"\b(?:from (?:now|here|this point|today) on(?:wards?)?|going forwards?|moving forwards?"
            r"|for (?:the )?future(?=\W*$| run| use| ref)|in (?:the )?future(?=\W*$| please)"
            r"|at all times|as a (?:general )?rule|in general|by convention|remember that|(?:keep|bear) in mind"
            r"|(?:do not|never) forget that|under no circumstances?|no matter (?:what|how)|whenever you)\b"
        ),
    ),
    (
        "consent",
        re.compile(
            r"^\W*(?:please )?(?:ask|check with|talk to) (?:[\w@.-]+ ){1,3}?(?:first|before)\b"
            rf"|{_IN_DOUBT}\b.*\bask\b|\bask\b.*{_IN_DOUBT}"
            r"|^(?=.*\b(?:not|never|no|nothing|nobody)\b)(?!.*\?).*\bwithout (?:asking|my|approval|permission)\b"
        ),
    ),
    (
        "answers",
        re.compile(
            r"^\W*(?:please )?(?:from now on )?(?:always )?"
            r"(?:(?:answer|reply|respond|speak|talk|write|explain)(?: \w+){0,3} in (?:(?:simple|plain) \w+"
            r"|english|german|french|spanish|italian|portuguese|dutch|polish|russian|japanese|chinese|korean|turkish)"
            r"|(?:keep|make) (?:your |all |the )?(?:answers?|replies|responses|explanations?) (?:\w+ )?"
            r"(?:short|brief|concise))\b"
        ),
    ),
    (
        "contrast",  # the worker reads from the queue, not from the table
        re.compile(
            r"^(?!.*\b(?:please|should|want|need|can|could|would|why|was|were|i)\b)(?:\W*(?:no|nope|wrong)\W+)?"
            r"(?:the|our|all) (?:\S+ ){1,4}?(?:is|are|\w+[^\Ws]s) [^,;]+, not \S"
        ),
    ),
]
_OBJECTION = re.compile(r"^\W*(?:no\W+)?(?:that|this|it)(?:'s| is) (?:wrong|incorrect|not (?:right|true|correct))\W+")
_CHOICE = re.compile(  # use bun, not npm
    r"(?:^|[,.:;] |\b(?:and|so|please|always) )(?:use|prefer|run|install|pick|write|stick)\b(?P<one>.{2,40}?)"
    r",? (?:and )?(?:instead of|rather than|not|over) (?P<other>[^.;]{2,60})"
)
# The linter is ruff; helix is my editor.
_IS_CHOSEN = re.compile(
    r"(?:(?:the|our|my) )?(?P<role>(?:[\w-]+ ){0,2}?[\w-]+) (?:here )?(?:is|are) (?P<name>[\w.+#-]+(?: [\w.+#-]+)?)"
    r"|(?P<first>[\w.+#-]+(?: [\w.+#-]+)?) is (?:the|our|my) (?P<its>(?:[\w-]+ ){0,2}?[\w-]+)(?: (?:here|everywhere))?"
)
_EACH_TIME = re.compile(r"\b(?:(?:each|every|next) ?time|whenever)\b")
_PREFERS = re.compile(
    r"\b(?:i|we) (?:do )?(?:(?:really|strongly|always|usually|generally|personally|much) )*"
    r"(?:prefer(?! (?:this|that|it|the (?:first|second|third|last|old|new|other|previous)\b))|hate|dislike|only want)\b"
    r"|\b(?:my|our) preference\b"
    r"|\bi (?:do not|never) (?:like|want) (?:it when|when|to see|any)\b"
    r"|\bi do not like (?!the|this|that|it\b|how|these|those|your|where|what)\w+"
    r"|\bi (?:really |always )?like (?:it when|when|my|our|to have|\w+ (?:more|better) than)\b"
)
# What an order says.
_ORDER = re.compile(r"(?:only )*(?P<denied>do not |never )?(?:always |ever )*(?P<verb>[a-z-]+)(?P<rest>.*)")
# "Test is", "log messages must": no order, but what something is or does.
_IS_SUBJECT = re.compile(
    r"(?: (?!(?:it|this|that|these|those|they|we|you|i|he|she|there|what|all|everything)\b)[a-z-]+)?"
    r" (?:is|are|was|were|has|must|should|can|will|of|lives?|goes|go to)\b"
)
_ORDER_EVER = re.compile(rf"\b(?:always|never|do not ever) (?:ever |[a-z]+ly )?(?:\w+-)?{_KEPT_UP}\b")
_AT_HAND = re.compile(r"\b(?:the|this|these|those|it|them|him|her)\b|[\x01\x04]|^ (?:a|just|that|else)\b")
# What speaks against it.
_OF_THE_READER = re.compile(_IN_DOUBT)  # "ask when in doubt" is no doubt
_SPEAK_AGAINST = (
    (
        "hedged",
        re.compile(
            rf"\b(?:{_any(g.HEDGES)}|thought|heard|hop(?:e|ed|efully)|wish(?:ed)?|doubt|said|says|told(?! you)"
            r"|claims?|claimed|imagine|pretend|no idea)\b"
        ),
    ),
    (
        "trouble",
        re.compile(
            r"\b(?:errors?|fail(?:s|ed|ing|ures?)?|broken?|breaks|bug(?:s|ged)?|crash(?:es|ed|ing)?|wrong|weird|issues?|stuck"
            r"|missing|slow|conflicts?|flaky|problems?|warnings?|exceptions?|hangs?|freezes?|regression)\b"
        ),
    ),
    ("past", re.compile(r"\b(?:was|were|did|had)\b")),
)


class Clause(Record):
    """A part of a sentence that might say something by itself."""

    lead: str  # the conjunction before it
    before: str  # what governs it without one: "I guess" of "I guess we use npm"
    text: str


def plainness(one: Sentence) -> int:
    """From 0 to PLAINEST, by the plainest of its clauses."""
    if len(one.shadow) > LONGEST:
        return 0  # nobody keeps it
    if is_japanese(one.shadow):
        return _points(japanese_signs(one.shadow))
    return max(map(_points, _clause_signs(one.shadow)), default=0)


def _points(signs: frozenset[str]) -> int:
    """One sign is worth two, further ones one together; a doubt, trouble and the past count against it."""
    told = signs - _AGAINST.keys()
    worth = bool(told) + bool(told - {_WEAK}) + (len(told) > 1)
    against = sum(_AGAINST[sign] for sign in signs & _AGAINST.keys() if sign != "past" or told.isdisjoint(_OF_THE_PAST))
    return max(0, worth - against)


def _clause_signs(shadow: str) -> Iterator[frozenset[str]]:
    """The signs of an English sentence as a whole, and of each of its clauses."""
    text = _OBJECTION.sub("", _written_out(shadow))
    whole = {name for name, pattern in _SENTENCES if pattern.search(text)}
    if _is_choice(text):
        whole.add("choice")
    if whole:
        yield frozenset(whole | _against(text))
    every = _EACH_TIME.search(text) is not None
    for clause in _clauses(text):
        found = _signs(clause, every=every)
        if found:
            yield frozenset(found | _against(f"{clause.before} {clause.text}"))


def _signs(clause: Clause, *, every: bool) -> set[str]:
    """`every`: the sentence says that it is so each time."""
    found = _order_signs(clause.text)
    if found is not None:
        found |= {"standing"} if every else set()
    else:
        found = set() if clause.lead in _DEPENDENT else _claim_signs(clause.text)
    return found | {"prefers"} if _PREFERS.search(clause.text) else found


def _claim_signs(clause: str) -> set[str]:
    found = {name for name, pattern in _CLAIMS if pattern.match(clause)}
    found |= {"chosen"} if _is_chosen(clause) else set()
    return found | {"habit"} if _is_our_habit(clause) else found


def _is_chosen(clause: str) -> bool:
    """The linter is ruff: a thing that developers choose, and what it is chosen for."""
    found = _IS_CHOSEN.fullmatch(clause)
    if found is None:
        return False
    role, name = found["role"] or found["its"], found["name"] or found["first"]
    return any(role in group or role in lexicon.CONCEPT_WORDS[group] for group in _groups(name))


def _against(text: str) -> set[str]:
    told = _OF_THE_READER.sub("", text)
    return {name for name, pattern in _SPEAK_AGAINST if pattern.search(told)}


def _written_out(shadow: str) -> str:
    text = spelled_out(shadow.lower()).replace("cannot", "can not")
    text = _SHORT.sub(lambda found: _LONG[found[1]], text)
    return " ".join(_SIGN.sub(r"\1", text).split())


def _clauses(text: str) -> Iterator[Clause]:
    """The clauses, each without what only opens a reply. A condition goes on behind "and" and "or"."""
    lead, before, start = "", "", 0
    for found in [*_BREAK.finditer(text), None]:
        clause = text[start : found.start() if found else len(text)]
        clause = _OPENING.sub("", f"{_EDGE.sub('', clause).rstrip(_ENDS)} ").rstrip()
        if clause:
            yield Clause(lead, before, clause)
        if found:
            governs = not found[0].strip()
            joins = found["lead"] in _JOINING and lead in _DEPENDENT
            before = clause if governs else ""
            lead = lead if joins or governs else found["lead"] or ("" if clause else lead)
            start = found.end()


def _order_signs(clause: str) -> set[str] | None:
    """What an order says of being meant for good; None if it is no order."""
    order = _ORDER.fullmatch(clause)
    if order is None or order["verb"].rpartition("-")[2] not in g.ORDERS or _IS_SUBJECT.match(order["rest"]):
        return None
    named = " ".join(order["rest"].split(" ")[:4])
    signs = (
        ("ever", _ORDER_EVER.search(clause)),
        ("prefers", order["verb"] == "prefer" and not _AT_HAND.match(order["rest"])),
        (_WEAK, order["denied"] and not _AT_HAND.search(named)),
    )
    return {name for name, holds in signs if holds}


def _is_choice(text: str) -> bool:
    """Use bun instead of npm: two of the things that developers choose between."""
    return any(not _groups(one["one"]).isdisjoint(_groups(one["other"])) for one in _CHOICE.finditer(text))


def _groups(words: str) -> set[str]:
    named = (word.strip(",.") for word in words.split())
    return {group for word in named for group in lexicon.groups_of(lexicon.canonical(word))}


def _is_our_habit(clause: str) -> bool:
    """We use it, we never squash: a verb of standing, or a mark that it is always so."""
    found = _WE_DO.match(clause)
    if found is None or found["object"] in _POINTS:
        return False
    verb = found["verb"]
    if verb in _NO_VERBS or verb.endswith(("ing", "ed")):
        return False
    return verb in g.STANDING or (verb not in g.MIND and _MARKED.search(found["marks"]) is not None)
