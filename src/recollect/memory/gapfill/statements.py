"""What a person typed, written down as a careful person would: the sentence whole, without its lead-in.

Only talk is left out: openings, closings, oaths, and a last clause about the telling itself. "I" becomes the user and
short forms are written out, in the sentence's own words; a negation, a condition, an exception or a time is never cut.
The words as typed stay in the citation.
"""

from __future__ import annotations

import re

from recollect.memory.gapfill.japanese import is_japanese
from recollect.text.language.frames import SAYS

SHORTEST = 6
LONGEST = 320

# "no, we use pnpm" answers; "no hex colours" and "right sidebar" say something.
_ANSWERS = (
    r"(?=\W*$|\s*[,.!:;–—-]|\s+(?:we|i|i['’]m|you|it|it['’]s|that|this|the|they|there|he|she|our|my|don['’]?t|do|never"
    r"|always|use|not|actually|wait|please|just|and|but|so|because|sorry|thanks)(?![\w'’]))"
)
_OPENING = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|ok|okay|alright|nope|nah|not quite|omfg|omg|wtf|ffs|argh|ugh|dude|come on|seriously"
    r"|(?:listen|look|guys|man|damn)(?=\s*[,!])|also|and|but|so+|then|well|hey|hi|hello|oh|ah+|hmm+|uf+|bien"
    r"|non(?=\s*[,.!])"
    rf"|(?:no+(?:,? no+)*|right|sure|fine|great|nice|cool|perfect){_ANSWERS}"
    r"|please|pls|plz|actually|btw|by the way|wait|hold on|careful|don['’]?t(?=[.!])|stop(?=[.!])"
    r"|anyway|thanks|thank you|good(?= to know|[,.!:])|to know|love it|fyi|plus"
    r"|sorry|again|quick note|one thing|for (?:the record|your information|(?:future )?reference|context|the (?:future"
    r"|next person))|just so (?:you|u) know|heads up|important(?=\s*[,.!:;–—-])"
    r"|because|since(?= the| we| our)|given that|which means"
    r"|(?:that|this|it)(?:['’]?s| is) (?:wrong|incorrect|not (?:right|true|correct))(?=\s*[,:;–—]\s*\w)"
    r"|i (?:already |'ve |have )?told you(?: already| before| twice)?(?: that)?|(?:like|as) i said"
    r"|did you know that|you know that|remember(?: that|(?=[,:]))|note(?: that|(?=[,:]))|keep in mind(?: that|(?=[,:]))"
    r"|be aware that|remind(?:er| you)(?: that|(?=[,:]))|(?:i )?want you to|make sure (?:to|that you)|be sure to"
    r"|from now on|going forward|in (?:the )?future(?!,? (?:we|i|it|the|this|our|all)\b)|next time)"
    r"(?![\w'’]|-\w)[\s,.:;!–—-]*)+",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:[\s,–—-]{1,8}(?:please|pls|plz|thanks|thank you|thx|btw|by the way|fyi|from now on|going forward"
    r"|in (?:the )?future|yes really)|\s{0,2}[,–—]\s{0,2}(?:ok|okay)){1,8}(?=[.!]?$)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r",?\s+(?:by the way|btw|fyi)\b,?|\b(?:fucking|freaking|goddamn)\s+(?=\w)", re.IGNORECASE)
# A last clause that only says how it came to be said: "..., I keep forgetting to mention it".
_TELLING = re.compile(
    r"[,;–—]\s+(?:(?:and |but )?(?:i|we) (?:keep |always |totally )?(?:forgot|forget|forgetting|meant)\b[^,;]*"
    r"\b(?:mention|say|tell)|(?:as|like) (?:i|we) (?:already )?(?:said|mentioned|told you)"
    r"|(?:we )?(?:found|learned|learnt) (?:that |it )?(?:out )?the hard way|nobody wrote (?:it|that|this) down"
    r"|in case you (?:wondered|wonder|didn['’]t know|forgot)|(?:just )?so you know)[^,;]*?(?=[.!]?$)",
    re.IGNORECASE,
)
# A last clause that asks to remember what was said before it: "..., please keep that in mind".
_MIND_IT = re.compile(
    r"(?:[,;–—]| and| so)\s+(?:(?:so|and|but|please|pls|plz) )*(?:(?:keep|bear) (?:(?:that|this|it) )?in mind"
    r"|(?:remember|note|don['’]?t forget) (?:that|this|it))(?=[.!]?$)",
    re.IGNORECASE,
)
# What follows from it for the work at hand: "..., so fix it accordingly".
_SO_NOW = re.compile(
    r"[,;]\s+so (?:just )?(?:please )?(?:add|change|delete|fix|move|put|remove|rename|rewrite|update)"
    r" (?:it|that|them|this)\b[^,;.]{0,30}(?=[.!]?$)",
    re.IGNORECASE,
)
_EACH_TIME = re.compile(r"(?:,? (?:for (?:this|that|it)|too|as well|again|now|here))+(?=[.!]?$)", re.IGNORECASE)
_PLEASE = re.compile(r",? ?\b(?:please|pls|plz)\b ?", re.IGNORECASE)
_SELF = re.compile(r"(?<![\w/.-])(?:i|i'm|im|i've|i'd|i'll|my|me|mine|myself)(?![\w/-])", re.IGNORECASE)
_BARE_LINK = re.compile(r"\W*https?://\S*\W*")
_CODE = re.compile(r"(`[^`]*`|\"[^\"]*\"|“[^”]*”)")
_NOT = re.compile(
    r"\b(?:(?P<whole>can|won|shan)['’]?t"
    r"|(?P<verb>do|does|did|is|are|was|were|has|have|had|should|would|could|must|need)n['’]?t)\b",
    re.IGNORECASE,
)
_WHOLE = {"can": "cannot", "won": "will not", "shan": "shall not"}
_LOUD = re.compile(r"\b(?:NEVER|ALWAYS|MUST(?: NOT)?|DO NOT|DON['’]T|CANNOT)\b")
# Never print .env files, they hold real credentials: two sentences, unless a condition stands before the comma.
_SPLICED = re.compile(r"^(?P<said>[^,;:]+), (?=(?:they|it|those|these) (?!(?:too|also|all)\b)[a-z])")
_DEPENDS = re.compile(
    r"^(?:if|when|whenever|once|after|before|unless|until|while|since|because|as|for|in|on|at|to|with|where|wherever"
    r"|although|though|even|given|during|without|by|from|besides)\b",
    re.IGNORECASE,
)
_SHORT = {"don't": "does not", "dont": "does not", "do not": "does not", "can't": "cannot", "won't": "will not"}
_VERB = (
    r"(?P<adverbs>(?:(?:always|never|also|often|just|still|no longer|kinda|already|almost|rather|even|seldom|sometimes"
    r"|(?!(?:re|app|rep|supp|comp|multip|f)ly )[a-z]+ly) )*)(?P<verb>[a-z]+)"
)
_I_VERB = re.compile(rf"\bi (?P<not>don'?t |do not |can'?t |cannot |won'?t )?{_VERB}(?![\w'’])", re.IGNORECASE)
_KEPT = frozenset(  # forms that "the user" takes as they are
    "can could will would should must may might had did was got went made told said saw ran wrote found left heard knew"
    " felt meant lost built kept thought set put chose came gave took began bought broke brought caught cut did drew"
    " drove fell forgot grew held hid hit hurt learnt led let paid read sent sold spent spoke stood stuck taught threw"
    " understood woke won wore".split()
)
_IN_ED = frozenset("need feed seed embed shred speed heed breed exceed proceed succeed".split())  # no past forms
_SPECIAL = {"have": "has", "am": "is", "do": "does", "go": "goes", "are": "is", "were": "was"}
_NOT_VERBS = frozenset("and or but if when in on at to for with who that the a an".split())
_MORE = (
    (re.compile(r"(?<![\w/.-])i(?:'m|m| am)(?![\w/-])", re.IGNORECASE), "the user is"),
    (re.compile(r"\bi've\b", re.IGNORECASE), "the user has"),
    (re.compile(r"\bi'd rather not\b", re.IGNORECASE), "the user prefers not to"),
    (
        re.compile(r"\bi'd rather(?= (?:you|we|they|it|the|a|an|my|this|that)\b)", re.IGNORECASE),
        "the user would rather",
    ),
    (re.compile(r"\bi'd rather\b", re.IGNORECASE), "the user prefers to"),
    (re.compile(r"\bi'd prefer\b", re.IGNORECASE), "the user prefers"),
    (re.compile(r"\bi(?:'d| would) like\b", re.IGNORECASE), "the user wants"),
    (re.compile(r"\bi'd\b", re.IGNORECASE), "the user would"),
    (re.compile(r"\bi'll\b", re.IGNORECASE), "the user will"),
    (re.compile(r"(?<![\w/.-])my(?![\w/.-])", re.IGNORECASE), "\x05"),
    (re.compile(r"\bmine\b", re.IGNORECASE), "the user's"),
    (re.compile(r"\bmyself\b", re.IGNORECASE), "themselves"),
    (re.compile(r"(?<![\w/.-])me(?![\w/-])", re.IGNORECASE), "\x06"),
)
# "My" and "me": the user is named once, then it is "their" and "them".
_NAMED = re.compile(r"the user\b|\x05|\x06", re.IGNORECASE)
_FIRST, _AFTER = {"\x05": "the user's", "\x06": "the user"}, {"\x05": "their", "\x06": "them"}
_THE_USER = re.compile(
    r"^the user (?=(?:prefers|likes|hates|loves|uses|works|never|always|usually|mostly"
    r"|does not (?:like|want|use|need|care))\b)"
)
# Prefers spelled-out types, the user never uses `any`: the same subject goes on.
_AGAIN = re.compile(r", (?:and )?the user (?=(?:never|always|usually|does not|prefers|likes|hates|uses|wants)\b)")

# "We moved to bun last week, never use pnpm": whoever forbids the old one uses the new one.
_MOVED = re.compile(
    r"^we(?:['’]ve| have)? (?:just |recently )?(?:moved|switched|migrated|went|changed)(?: over| back)? to"
    r" (?P<new>[\w.@`/-]+)(?: (?:last|this) \w+| yesterday| today| recently| (?:a|\w+) (?:days?|weeks?|months?) ago)?"
    r"(?P<rest>[,;](?: so| and)? (?:please )?(?:never|don['’]t|do not|stop|no longer) us(?:e|ing)\b)",
    re.IGNORECASE,
)


def statement_of(text: str) -> str:
    """The statement for one typed sentence; empty when nothing is left of it ("please don't.")."""
    body = " ".join(text.split())
    if is_japanese(body):
        return body
    body = _MOVED.sub(r"We use \g<new>\g<rest>", own_words(body))
    if len(body) < SHORTEST or len(body) > LONGEST or _BARE_LINK.fullmatch(body):
        return ""
    if _SELF.search(body):
        told = _of_the_user(body)
        if _SELF.search(told):
            return f'{SAYS}"{body}"'
        body = _THE_USER.sub("", told)
        if body != told:
            body = _AGAIN.sub(", and ", body)
        body = _named_once(body)
    body = _written_out(body)
    first = body.split(" ", 1)[0].rstrip(",;:.!")
    return _ended(body[:1].upper() + body[1:] if first.replace("'", "").isalpha() else body)


def often_asked(order: str) -> str:
    """The statement for an order that comes back: what is asked for, without what it was about each time."""
    said = _EACH_TIME.sub("", own_words(order)).rstrip(".! ")
    return f"The user often asks for this: {said[:1].lower() + said[1:]}."


def own_words(body: str) -> str:
    """The sentence without what opens a reply ("ok but", "no,") or closes it, and without "please"."""
    body = _OPENING.sub("", " ".join(body.split())).strip(" ,;:-–—")
    body = _SO_NOW.sub("", _CLOSING.sub("", _MIND_IT.sub("", _TELLING.sub("", _ASIDE.sub("", body)))))
    return _PLEASE.sub(lambda found: " " if found[0].endswith(" ") else "", body).strip(" ,;:")


def _written_out(body: str) -> str:
    """Short forms and loud words as one writes them, outside of code and quotations; and two sentences as two."""
    loud = body.isupper()
    parts = _CODE.split(body)
    for at in range(0, len(parts), 2):
        parts[at] = spelled_out(parts[at] if loud else _LOUD.sub(lambda found: found[0].lower(), parts[at]))
    text = "".join(parts)
    text = text if _DEPENDS.match(text) else _SPLICED.sub(r"\g<said>; ", text)
    return re.sub(r"!+$", ".", text)


def spelled_out(text: str) -> str:
    """Don't: do not."""
    return _NOT.sub(_not_spelled_out, text)


def _not_spelled_out(found: re.Match[str]) -> str:
    told = _WHOLE[found["whole"].lower()] if found["whole"] else f"{found['verb'].lower()} not"
    return told.capitalize() if found[0][0].isupper() else told


def _of_the_user(body: str) -> str:
    told = body.replace("’", "'")
    for pattern, words in _MORE:
        told = pattern.sub(words, told)
    return _I_VERB.sub(_third_person, told)


def _named_once(body: str) -> str:
    """The user is on fish, so give them fish syntax."""
    named = False

    def one(found: re.Match[str]) -> str:
        nonlocal named
        before, named = named, True
        return (_AFTER if before else _FIRST).get(found[0], found[0])

    return _NAMED.sub(one, body)


def _third_person(found: re.Match[str]) -> str:
    """I never squash: the user never squashes."""
    verb = found["verb"].lower()
    if found["not"]:
        refused = found["not"].strip().lower()
        return f"the user {_SHORT.get(refused, refused)} {found['adverbs']}{found['verb']}"
    if verb in _NOT_VERBS:
        return found[0]
    return f"the user {found['adverbs']}{_inflected(verb)}"


def _inflected(verb: str) -> str:
    if verb in _SPECIAL:
        return _SPECIAL[verb]
    if verb in _KEPT or (verb.endswith("ed") and verb not in _IN_ED):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else f"{verb}s"


def _ended(body: str) -> str:
    return body if body.endswith((".", "!", "?", "…", ")", '"', "。")) else body.rstrip(",;:") + "."
