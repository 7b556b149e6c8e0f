"""Which customization a fact belongs in: instructions by the files they apply to, then agent, skill, prompt, hook, then
what every session reads, then a new file. Each step is strict, so that most facts end where everything is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.suggestions.customizations import is_only_import
from recollect.suggestions.globs import covers, named_paths, under
from recollect.suggestions.hooks import event_of
from recollect.suggestions.wording import ORDERED, keys_of, weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.suggestions import Fact
    from recollect.suggestions.customizations import Customization

_AT_ROLE = re.compile(
    r"^(?:when|while|during|in|for|after|before)\s+(?:an?\s+|the\s+|every\s+|each\s+)?(\w+)", re.IGNORECASE
)
# Where something holds: "in the dashboard", "in our protos".
_WHERE = re.compile(
    r"\b(?:in|inside|within|im|innerhalb)\s+(?:the\s+|our\s+|all\s+|every\s+|each\s+|an?\s+|de[nrm]\s+|unser\w*\s+|allen\s+)?"
    r"([^\W\d_][\w-]*)(?![\w/-]|\.\w)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:the|an?|every|each|der|die|das|jede[rs]?|le|la|el)\s+", re.IGNORECASE)
# What a thing takes that is done in steps: "A release also needs ...".
_NEEDS = re.compile(
    r"(?:an?|every|each|the)\s+([\w-]+)\s+(?:also\s+)?(?:needs?|requires?|must|has to)\b", re.IGNORECASE
)
_LOCAL = re.compile(r"\.local\.|\.override\.")


# Where something is to be noted is not what a fact is about.
_NOTED = re.compile(
    r"\b(?:entry|line|note|row|record|section|listed|documented|described|recorded|registered|noted)\b"
    r"(?:\s+\w+){0,2}?\s+(?:in|to|into|at)\s+\S+",
    re.IGNORECASE,
)
_FOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})  # as names of files are written


class Target(Record):
    """The file, and why it is this one."""

    file: Customization
    why: str


def choose(fact: Fact, files: Sequence[Customization]) -> Target | None:
    """The customization for a fact; None when a new file is needed, or for the user's own facts nothing."""
    return next(iter(candidates(fact, files)), None)


def candidates(fact: Fact, files: Sequence[Customization]) -> list[Target]:
    """All that the rules allow, best first; a model may choose among these and no others."""
    mine = [one for one in files if one.is_users == (fact.scope == "user") and not _LOCAL.search(one.path)]
    if fact.scope == "user":
        return [Target(one, "it is about you, and this file is read everywhere") for one in _always_on(mine, "")]
    paths = _paths(fact)
    found = [Target(one, f"it applies to {', '.join(one.patterns)}") for one in _applying(mine, paths)]
    found += [Target(one, f"it speaks for {one.folder}") for one in _nested(mine, paths)]
    if not paths:
        found += [Target(one, f"it is about {one.name}") for one in _named_after(mine, fact.content)]
        found += [Target(one, f"it speaks for {one.folder}") for one in _speaking_for(mine, fact.content)]
    for kind in ("agent", "skill", "prompt"):
        fitting = [one for one in mine if one.kind == kind and speaks_of(fact.content, one)]
        found += [Target(one, f"it is about what the {kind} {one.name} does") for one in fitting]
    if fact.command and event_of(fact.content):
        found += [Target(one, "a command that works here, at a moment that hooks know") for one in _hooks(mine)]
    found += [Target(one, "every session here reads it") for one in _always_on(mine, "")]
    return list({one.file.path: one for one in reversed(found)}.values())[::-1]


def _paths(fact: Fact) -> list[str]:
    """The paths that a fact names, or else the files that it cites."""
    return named_paths(_NOTED.sub(" ", fact.content)) or [
        one.path for one in fact.citations if one.kind == "file" and one.path
    ]


def _applying(files: Iterable[Customization], paths: Sequence[str]) -> list[Customization]:
    """Instructions whose globs cover a named path, the most particular first."""
    found = [one for one in _particular(files) if any(covers(one.patterns, path) for path in paths)]
    return sorted(found, key=lambda one: -max(len(re.split(r"[*?{]", pattern)[0]) for pattern in one.patterns))


def _particular(files: Iterable[Customization]) -> list[Customization]:
    return [one for one in files if one.kind == "instructions" and not one.is_always_on]


def _named_after(files: Iterable[Customization], content: str) -> list[Customization]:
    """Instructions that are named after what the fact begins with, `migrations.md` for "Migrations never ...", or after
    where it holds, `dashboard.md` for "In the dashboard, ..."."""
    first = _first_word(content)
    about = {first, *_where(content)} - {""}
    return [one for one in _particular(files) if about & keys_of(one.path.rsplit("/", 1)[-1].split(".")[0])]


def _speaking_for(files: Iterable[Customization], content: str) -> list[Customization]:
    """Files of a folder that is named as where the fact holds: `packages/web` for "in the web package"."""
    where = _where(content)
    return [one for one in files if one.is_always_on and where & set(weights(one.folder.rpartition("/")[2]))]


def _where(content: str) -> set[str]:
    return {key for found in _WHERE.finditer(content) for key in weights(found[1])}


def _first_word(content: str) -> str:
    """What a fact begins with, as a key; empty when that says nothing by itself."""
    word = re.match(r"\w+", _ARTICLE.sub("", content, count=1) if _ARTICLE.match(content) else content)
    return next(iter(weights(word[0])), "") if word else ""


def _nested(files: Iterable[Customization], paths: Sequence[str]) -> list[Customization]:
    """Files that speak for a folder which holds everything that is named, the nearest first."""
    found = [one for one in files if one.is_always_on and one.folder and under(one.folder, paths)]
    return sorted(found, key=lambda one: (-len(one.folder), one.rank))


def _always_on(files: Iterable[Customization], folder: str) -> list[Customization]:
    found = [one for one in files if one.is_always_on and one.folder == folder and not is_only_import(one)]
    return sorted(found, key=lambda one: (one.rank, one.path))


def _hooks(files: Iterable[Customization]) -> list[Customization]:
    return sorted((one for one in files if one.kind == "hook" and not one.folder), key=lambda one: one.path)


def speaks_of(content: str, file: Customization) -> bool:
    """Is a fact about what an agent, a skill or a prompt does? By its name, and something else that both speak of."""
    ours = keys_of(content) | _stems(content)
    name = _stems(file.name.replace("-", " ").replace("_", " "))
    named = name & ours
    if not (name - ORDERED or name) & named:  # to add something is said of everything
        return False
    role = _AT_ROLE.match(content)
    at_work = _stems(role[1]) if role else _stems(_first_word(content))
    if file.kind == "agent" and name & at_work:
        return True
    needs = _NEEDS.match(content)
    if needs and name == _stems(needs[1]):
        return True
    about = _stems(file.about) & ours
    if len(about) > 1 and 2 * len(named) >= len(name):
        return True
    body = set(weights(file.text[:20_000]))
    return named == name and len((body & set(weights(content))) - name) > 0


def _stems(text: str) -> set[str]:
    """The words of a name; who reviews is named by reviewing."""
    keys = {key.translate(_FOLDED) for key in weights(text) if key.isalnum()}
    return {key[:-2] if len(key) > 5 and key.endswith(("er", "or")) else key for key in keys}
