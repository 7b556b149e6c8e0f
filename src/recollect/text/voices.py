"""One statement about the user in one voice. What sessions left speaks of "the user" even where the user reads it; what
was typed says "me", which nobody can follow in a file of a team. What cannot be turned stays as it is."""

from __future__ import annotations

import re

_BASES = {"is": "am", "has": "have", "does": "do", "goes": "go", "was": "was"}
_MODALS = frozenset("can cannot could would should will must may might did had".split())
_WISHES = "prefers|likes|dislikes|hates|loves|wants|enjoys|expects"
# A sentence that tells of the user without naming them.
_LEFT_OUT = re.compile(rf"(?:(Always|Never|Usually|Mostly|Generally|Really) )?({_WISHES})\b", re.IGNORECASE)
_LEFT_OUT_TOO = re.compile(
    r"(?:(Always|Never|Usually|Mostly|Generally|Really) )?(uses|works|needs|lives|speaks|writes|reads|codes|runs)\b",
    re.I,
)
# Where a clause begins, so that what follows "the user" is what the user does.
_SUBJECT = re.compile(
    r"(?P<before>^|[,;:.!]\s+(?:and |but |so |because )?"
    r"|\b(?:and|but|so|because|when|if|that|as|while|before|after|unless|until|since|where|what) )"
    r"the user (?P<adverb>(?:always|never|usually|also|really|only|just|mostly|often|still|no longer) )?"
    r"(?P<verb>[a-z]+)(?=[\s,.!]|$)(?P<self> themselves)?",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\bthe user['’]s\b", re.IGNORECASE)
_OBJECT = re.compile(r"\bthe user\b(?!['’]s)", re.IGNORECASE)
_I = re.compile(r"(?<![\w/.-])I(?![\w/-])|\bmyself\b|\bmine\b")
_ME, _MY = re.compile(r"(?<![\w/.-])me(?![\w/-])"), re.compile(r"(?<![\w/.-])my(?![\w/-])", re.IGNORECASE)


def in_first_person(text: str) -> str:
    """A statement about the user as they would say it: "Give the user fish syntax" as "Give me fish syntax"."""
    left_out = _LEFT_OUT.match(text) or (_LEFT_OUT_TOO.match(text) if _POSSESSIVE.search(text) else None)
    if not (left_out or _POSSESSIVE.search(text) or _OBJECT.search(text)):
        return text
    if left_out:
        adverb = f"{left_out[1].lower()} " if left_out[1] else ""
        text = f"I {adverb}{_base(left_out[2].lower())}{text[left_out.end() :]}"
    turned = _POSSESSIVE.sub("my", _SUBJECT.sub(_as_i, text))
    if _SUBJECT.search(turned):
        return text
    turned = _OBJECT.sub("me", turned)
    return turned[:1].upper() + turned[1:] if text[:1].isupper() else turned


def in_third_person(text: str) -> str:
    """A statement by or about the user for others to read: "ask me first" as "ask the user first"."""
    if _I.search(text):
        return text  # as it was typed: "me" alone would speak of somebody else than "I"
    text = _MY.sub(lambda found: "The user's" if found[0] == "My" else "the user's", _ME.sub("the user", text))
    if _LEFT_OUT_TOO.match(text) and _POSSESSIVE.search(text):
        text = f"The user {text[:1].lower()}{text[1:]}"
    first = re.search(r"\bthe user\b", text, re.IGNORECASE)
    start = first.end() + (2 if text[first.end() : first.end() + 2] in ("'s", "’s") else 0) if first else len(text)
    subjects = {found.start() + len(found["before"]) for found in _SUBJECT.finditer(text) if _is_verb(found["verb"])}
    rest = _POSSESSIVE.sub("their", text[start:]) if start < len(text) else ""
    if any(at >= start for at in subjects):
        return text[:start] + rest
    return text[:start] + _OBJECT.sub("them", rest)


def _as_i(found: re.Match[str]) -> str:
    verb = found["verb"]
    if not _is_verb(verb):
        return found[0]
    itself = " myself" if found["self"] else ""
    return f"{found['before']}I {found['adverb'] or ''}{_base(verb)}{itself}"


def _is_verb(word: str) -> bool:
    low = word.lower()
    return low in _MODALS or low in _BASES or (low.endswith("s") and not low.endswith("ss"))


def _base(verb: str) -> str:
    """What somebody says of themselves: `uses` as `use`."""
    if verb in _BASES or verb in _MODALS:
        return _BASES.get(verb, verb)
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes")) else verb[:-1]
