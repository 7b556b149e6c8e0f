"""One statement about the user in one voice. What sessions left speaks of "the user" even where the user reads it; what
was typed says "me", which nobody can follow in a file of a team. It is turned as a whole, or, where a word of it might
mean somebody or something else, stays as it is: "the user" reads well in any file, half a turn in none."""

from __future__ import annotations

import re

LONGEST = 2_000  # characters; what is longer is not one statement and stays as it is
_WISHES = "prefer like dislike hate love want enjoy expect"
# Behind "and" these are what somebody does; "tests" and "runs" might as well be things.
_PLAIN = f"{_WISHES} use work write read speak live keep avoid think say get go become ask decide learn know try"
_BASES = (
    f"{_PLAIN} need code run commit pull merge squash rebase review test build deploy ship release focus"
    " cache develop maintain own teach start stop begin finish end leave make take give find see feel mean call name"
    " type edit change move switch install follow check fix debug watch plan manage share play study pay"
    " rely carry apply reply mix miss pass discuss search reach match touch push wish worry care trust accept allow"
    " refuse reject open close create delete remove add send sign track store save comment document format lint print"
    " log host train travel sleep eat drink drive sit stand stay tend choose consider set put come look"
).split()
_MODALS = frozenset("can cannot could would should will must may might did had was".split())
_NEGATED = {"doesn't": "don't", "isn't": "am not", "hasn't": "haven't"}


def _inflected(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


_SAID_OF = {_inflected(verb): verb for verb in _BASES} | {"is": "am", "has": "have", "does": "do", **_NEGATED}
_OWN_FORM = _SAID_OF | {verb: verb for verb in (*_MODALS, *(f"{one}n't" for one in ("ca", "wo", "did", "could")))}
_CERTAIN = frozenset((*map(_inflected, _PLAIN.split()), "is", "has", "does", *_NEGATED))
_ADVERB = (
    r"(?:(?:always|never|usually|rarely|seldom|sometimes|also|really|only|just|mostly|generally|often|still|currently"
    r"|strongly|no longer) )?"
)
_WORD = r"(?P<verb>[A-Za-z]+(?:n['’]t)?)(?![\w'’/-]|\.\w)"
_USER = re.compile(r"\b(?P<the>the user)\b(?!['’]s|[/-]|\.\w)", re.IGNORECASE)
_DOES = re.compile(rf" (?P<adverb>{_ADVERB}){_WORD}", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\bthe user['’]s(?= )", re.IGNORECASE)
_OWNED_ALONE = re.compile(r"\bthe user['’]s(?! )", re.IGNORECASE)
_NOT_OWNED = re.compile(r" (?:not|on|in|at|a|an|the|been|got|always|never|\w+ing)\b", re.IGNORECASE)
# Elsewhere "the user tests" are tests of users, and so they are where something is said of them.
_BEGINS = re.compile(
    r"(?:^|[,;:.!?–—] (?:and |but |so )?|\b(?:and|but|so|because|when|whenever|if|that|as|while|before|after|unless"
    r"|until|since|where|what|only|once) )$",
    re.IGNORECASE,
)
_SAID_OF_THEM = re.compile(
    r" (?:are|is|were|was|have|has|had|must|should|can|will|do|does|need|live|run|go|use)\b", re.I
)
# What the user is asked, given, told: behind these "the user" is "me".
_TAKES = re.compile(
    r"\b(?:to|for|with|by|from|of|about|without|at|than|like|between"
    r"|(?:ask|tell|show|remind|warn|answer|help|address|offer|interrupt|bother|consult|inform|contact|want|trust)"
    r"(?:s|ed|ing)?|let|lets|letting|giv(?:e|es|ing)|gave|notif(?:y|ies|ying)|writ(?:e|es|ing)|call(?:s|ing)?) $",
    re.IGNORECASE,
)
# A sentence that tells of the user without naming them.
_LEFT_OUT = re.compile(rf"(?P<adverb>{_ADVERB}){_WORD}(?= )", re.IGNORECASE)
_WISHING = frozenset(map(_inflected, _WISHES.split()))
_GOES_ON = re.compile(
    rf"(?:,|\b(?:and|but|or|then)),? (?P<adverb>{_ADVERB})(?P<verb>[a-z]+s|doesn['’]t)\b", re.IGNORECASE
)
_ADVERBS = frozenset("always sometimes perhaps besides as is this thus".split())
_ANOTHER = re.compile(r"\b(?:that|which|who|because|if|when|so|it|they|you|we|unless|while|where)\b", re.IGNORECASE)
_THEIR = re.compile(r"\b(?:they|them|their|theirs|themselves)\b", re.IGNORECASE)
_TURNED = {"them": "me", "their": "my", "theirs": "mine", "themselves": "myself"}
_PEOPLE = re.compile(
    r"\b(?:team|teams|teammates?|colleagues?|co-?workers?|people|persons?|users|customers?|clients?|developers?"
    r"|engineers?|reviewers?|contributors?|maintainers?|authors?|agents?|boss|manager|friends?|family|wife|husband|partner"
    r"|kids|child(?:ren)?|students?|he|she|him|her|his|some(?:one|body)|any(?:one|body)|every(?:one|body)|nobody|others)\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"\b[a-z]+(?<![su'’i])s\b", re.IGNORECASE)
_I = re.compile(r"(?<![\w/.-])I(?![\w/-])|\bmyself\b|\bmine\b")
_ME = re.compile(r"(?<![\w/.-])me(?![\w/-]|\.\w)")
_MY = re.compile(r"(?<![\w/.-])my(?![\w/-]|\.\w)", re.IGNORECASE)
_SPANS = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^“”\n]*”|(?<!\w)'[^'\n]+'(?!\w)")
_HELD = re.compile("\ue000(\\d+)\ue001")


def in_first_person(text: str) -> str:
    """A statement about the user as they would say it: "Give the user fish syntax" as "Give me fish syntax"."""
    body, spans = _set_aside(text[: LONGEST + 1])
    turned = _as_own(body) if len(text) <= LONGEST else None
    return (
        text if turned is None else _put_back(turned[:1].upper() + turned[1:] if text[:1].isupper() else turned, spans)
    )


def in_third_person(text: str) -> str:
    """A statement by or about the user for others to read: "ask me first" as "ask the user first"."""
    body, spans = _set_aside(text)
    if _I.search(body) or not all(
        _TAKES.search(body, max(found.start() - 20, 0), found.start()) for found in _ME.finditer(body)
    ):
        return text  # as it was typed: "me" alone would speak of somebody else than "I", or be a name in code
    body = _MY.sub(lambda found: "The user's" if found[0] == "My" else "the user's", _ME.sub("the user", body))
    begun = _LEFT_OUT.match(body)
    if begun and _POSSESSIVE.search(body) and begun["verb"].lower() in _CERTAIN | {"needs", "codes", "runs"}:
        body = f"The user {body[:1].lower()}{body[1:]}"
    first = re.search(r"\bthe user(?:['’]s)?\b", body, re.IGNORECASE)
    if first is None:
        return text
    head, rest = body[: first.end()], _POSSESSIVE.sub("their", body[first.end() :])
    if not any(_verb_of(rest, found) for found in _USER.finditer(rest)):
        rest = _USER.sub("them", rest)
    return _put_back(head + rest, spans)


def _set_aside(text: str) -> tuple[str, list[str]]:
    """The text with a mark for each piece of code or quotation, and those pieces."""
    spans: list[str] = []

    def mark(found: re.Match[str]) -> str:
        spans.append(found[0])
        return f"\ue000{len(spans) - 1}\ue001"

    return _SPANS.sub(mark, text.replace("\ue000", "")), spans


def _put_back(body: str, spans: list[str]) -> str:
    return _HELD.sub(lambda found: spans[int(found[1])], body)


def _verb_of(body: str, user: re.Match[str]) -> re.Match[str] | None:
    """What the user does, where "the user" is who does it."""
    does = _DOES.match(body, user.end())
    verb = does["verb"].lower().replace("’", "'") if does else ""
    if not does or verb not in _OWN_FORM:
        return None
    if does["adverb"] or verb in _CERTAIN or verb not in _SAID_OF:
        return does
    begins = _BEGINS.search(body, max(user.start() - 20, 0), user.start()) if user.start() else does
    return does if begins and not _SAID_OF_THEM.match(body, does.end()) else None


def _as_own(body: str) -> str | None:
    """The statement in the user's own voice; None where a word of it is not certain."""
    begun, named = _begins_without_name(body), _USER.search(body) or _POSSESSIVE.search(body)
    if (
        not (begun or named)
        or _OWNED_ALONE.search(body)
        or any(_NOT_OWNED.match(body, found.end()) for found in _POSSESSIVE.finditer(body))
    ):
        return None
    if not _pronouns_are_sure(body, named is not None):
        return None
    changes: list[tuple[int, int, str]] = []
    if begun:
        changes.append((0, begun.end(), f"I {begun['adverb'].lower()}{_own(begun['verb'])}"))
    for user in _USER.finditer(body):
        does = _verb_of(body, user)
        takes = _TAKES.search(body, max(user.start() - 20, 0), user.start()) is not None
        if takes == (does is not None):
            return None
        said = f"I {does['adverb']}{_own(does['verb'])}" if does else "me"
        changes.append((user.start(), does.end() if does else user.end(), said))
    for start, end in [(start, end) for start, end, said in changes if said != "me"]:
        further = _what_goes_on(body, end, min((one for one, *_ in changes if one > start), default=len(body)))
        if further is None:
            return None
        changes += further
    changes += [(*found.span(), "my") for found in _POSSESSIVE.finditer(body)]
    changes += [(*found.span(), _TURNED[found[0].lower()]) for found in _THEIR.finditer(body)]
    for start, end, said in sorted(changes, reverse=True):
        body = f"{body[:start]}{said}{body[end:]}"
    return body


def _own(verb: str) -> str:
    return _OWN_FORM[verb.lower().replace("’", "'")]


def _begins_without_name(body: str) -> re.Match[str] | None:
    """Prefers tabs; or, with "the user's" behind it, uses fish as the user's shell."""
    begun = _LEFT_OUT.match(body)
    verb = begun["verb"].lower() if begun else ""
    return begun if verb in _WISHING or (verb in _SAID_OF and _POSSESSIVE.search(body)) else None


def _pronouns_are_sure(body: str, named: bool) -> bool:
    """Can "they" be nobody and nothing but the user?"""
    found = list(_THEIR.finditer(body))
    if not found:
        return True
    if _PEOPLE.search(body) or any(one[0].lower() == "they" for one in found):
        return False
    first = next((one.start() for one in found if one[0].lower() == "them" or not named), 0)
    before = [one for one in _PLURAL.finditer(body, 0, first) if one.start()]
    return all(one[0].lower() in _ADVERBS | _CERTAIN for one in before)


def _what_goes_on(body: str, start: int, end: int) -> list[tuple[int, int, str]] | None:
    """What the same subject does further on, "and prefers tabs"; None where that might be a thing or another's."""
    changes: list[tuple[int, int, str]] = []
    another = _ANOTHER.search(body, start, end)
    stop = re.compile(r"[.;:!?](?!\w)").search(body, start, end)
    for found in _GOES_ON.finditer(body, start, stop.start() if stop else end):
        verb, adverb = found["verb"].lower().replace("’", "'"), found["adverb"]
        if verb in _ADVERBS:
            continue
        sure = verb in (_SAID_OF if adverb else _CERTAIN)
        if not sure or (another and another.start() < found.start()):
            return None
        changes.append((*found.span("verb"), _SAID_OF[verb]))
    return changes
