"""What was so before and what is so now, where a correction names both: "from pixi to uv", "X is called Y". Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.values import BEHIND_NAME, NUMBERS, kind_of, values_in
from recollect.model.record import Record
from recollect.text.language.frames import WANTS
from recollect.text.language.lexicon import canonical
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.language.stopwords_elsewhere import ELSEWHERE
from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1_000  # characters of a correction, and of a statement, in which parts are looked for
CODED = ("code", "path", "identifier", "channel")

_WORD = r"(?:`[^`]+`|(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)+)|[^\s,;:`]+)"
_BEGINS = r"(?<![\w#@./-])"
_ARTICLE = r"(?:(?:the|a|an|our|der|die|das|den|dem|le|la|les|l'|el|los|on|in|to|by|with|bei|von|mit|auf|chez|par) )?"
# One sentence as it was typed, or as it is written down: "we moved to bun, never use pnpm".
_MOVED = rf"(?i:\b(?:moved|switched|migrated|changed|went)(?: over| back)? to) {_ARTICLE}NEW"
_BANNED = rf"(?i:\b(?:never|don't|do not|no longer|must not|stop) us(?:e|ing)) {_ARTICLE}OLD"
_AND_SO = rf"\b[^.!?;\n]{{0,60}}?(?:[,;–—-]|\bso\b|\band\b|\. {WANTS.strip()}) "


def _read(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        lazy(
            one.replace("OLD", f"{_BEGINS}(?P<old>{_WORD})(?:{BEHIND_NAME})?").replace(
                "NEW", f"{_BEGINS}(?P<new>{_WORD})(?P<number>{BEHIND_NAME})?"
            )
        )
        for one in patterns
    )


# The thing is still asked for by its old name.
_RENAMES = _read(
    rf"\b(?:moved|switched|migrated|went|changed|gone)\b[^.;]{{0,40}}?\bfrom {_ARTICLE}OLD to {_ARTICLE}NEW",
    rf"OLD (?:is|are) (?:now )?(?:called|known as) {_ARTICLE}NEW",
    r"OLD (?:goes|went) by (?:the name )?(?:of )?NEW",
    r"OLD (?:heißt|heisst) (?:jetzt |nun )?NEW",
    r"OLD (?:has been |was |got |is )?renamed,? (?:to |into |it's |it is )?NEW",
    r"OLD (?:was|is|has been|got) replaced (?:by|with) NEW",
    rf"\breplaced? {_ARTICLE}OLD (?:by|with) {_ARTICLE}NEW",
    rf"\b(?:dropped|ditched|swapped|left) {_ARTICLE}OLD (?:for|in favou?r of) {_ARTICLE}NEW",
    rf"\b(?:isn't|is not|not) {_ARTICLE}OLD (?:any ?more|any longer)?,? .*?\b(?:call it|called) NEW",
    rf"\b(?:quitté|dejado|deixado|lasciato) {_ARTICLE}OLD (?:pour|por|per) {_ARTICLE}NEW",
    rf"\b(?:passés?|passée|pasado|passato|passado|migré|migrado) de {_ARTICLE}OLD (?:à|a|al) {_ARTICLE}NEW",
    r"\bvon OLD (?:auf|zu|nach) NEW (?:gewechselt|umgestellt|umgezogen|migriert)",
    r"OLD (?:s'appelle|se llama|si chiama|se chama|heet|hedder|heter) (?:maintenant |désormais |ahora |ora |nu )?NEW",
    rf"OLD (?:.{{0,12}}?\b)?(?:remplacée? par|reemplazad[oa] por|sostituit[oa] da|ersetzt durch) {_ARTICLE}NEW",
    rf"OLD (?:durch|par|por) {_ARTICLE}NEW (?:ersetzt|remplacé|reemplazado)",
    r"OLD (?:is|are|was) (?:gone|out|history|dead|no more)\b[^;]{0,24}?[,;.] (?:it's|it is|we use) (?:all )?NEW",
    r"OLD ya no (?:existe|se usa)\b[^;]{0,30}?, (?:ahora )?(?:es|usamos|se usa) NEW",
)
# "bin/promote is now bin/ship": with plain words the same would be "the sidebar is collapsible now".
_BECOMES = _read(rf"OLD (?:is|are) now {_ARTICLE}NEW", r"OLD is NEW (?:now|since|today|these days)\b")
_INSTEAD = _read(
    rf"NEW (?:instead of|rather than|in place of|statt|au lieu de|plutôt que|en vez de|invece di) {_ARTICLE}OLD",
    rf"NEW,? (?:and )?(?:not|no longer) {_ARTICLE}OLD",
    rf"NEW(?:,| und| et| y| e| en) (?:nicht|pas|no|non|niet|ikke) {_ARTICLE}OLD",
    rf"(?i:\bstatt) {_ARTICLE}OLD (?:.{{0,30}}?\b)?(?:jetzt|nun|nur noch) {_ARTICLE}NEW",
    rf"\b(?:n'est plus|ne .{{1,20}} plus) {_ARTICLE}OLD,? mais {_ARTICLE}NEW",
    rf"\bnicht mehr {_ARTICLE}OLD,? sondern {_ARTICLE}NEW",
    rf"\bya no (?:es |está en )?{_ARTICLE}OLD,? (?:sino|ahora) (?:es )?{_ARTICLE}NEW",
    rf"\b(?:isn't|is not|not) {_ARTICLE}OLD (?:any ?more|any longer)?,? .*?\b(?:it's|it is|but) NEW",
    r"OLD (?:has )?(?:handed|gave|passed) .{1,60}?\bto NEW",
    r"NEW (?:has |have )?(?:took|taken|takes|inherited|inherits|got) .{1,80}?\bfrom OLD",
    rf"{_MOVED}{_AND_SO}(?:please |so |and )?{_BANNED}",
    rf"\b(?:on|using|use) NEW now{_AND_SO}(?:please |so |and )?{_BANNED}",
    r"OLD hat .{1,60}? an NEW (?:ab|über)ge",
    r"NEW hat .{1,60}? von OLD übernommen",
)
# Without what takes its place.
_LEFT = _read(
    r"(?i:\b(?:left|ditched|dropped|abandoned|retired|(?:'re|are|'m|is|got|come|came) off|gave up|gave up on"
    rf"|got rid of|weg von|quitté|dejado)) {_ARTICLE}OLD",
    r"(?i:\bthrew) OLD out\b",
)
_GONE = _read(
    r"OLD (?i:(?:is|are) (?:history|gone|out|dead|retired)|goes away|was (?:dropped|retired|removed|cancelled)"
    r"|ya no existe|se ha ido|est résiliée?)\b",
)
_EMPTY = frozenset(
    "today yesterday tomorrow now again that this one ones people person thing things only also used using needed there"
    " here what ça".split()
)


class Pair(Record):
    """What is given up, and what takes its place."""

    old: str
    new: str
    renames: bool


def pairs_in(said: str) -> Iterator[Pair]:
    """Old and new where both are named, the surest way to say so first."""
    for patterns, renames in ((_RENAMES, True), (_INSTEAD, False), (_BECOMES, True)):
        for pattern in patterns:
            for match in pattern.finditer(said):
                old, new = (bare(match[name]).removesuffix("'s") for name in ("old", "new"))
                if match["number"] and (kind_of(old) in NUMBERS or not _has_versions(new)):
                    new = match["number"].strip()  # "port 8090, not 8080"
                coded = is_coded(match["old"]), is_coded(match["new"] if patterns is _BECOMES else new)
                # "The bucket was renamed to acme-media" tells what the thing is, and not what it was called.
                if all(coded) or (patterns is not _BECOMES and not (coded[1] and is_plain(old) and not canonical(old))):
                    yield Pair(old, new, renames)


def given_up_in(said: str) -> list[str]:
    """What the correction says was given up for something else; nothing in a long text."""
    return (
        []
        if len(said) > LONGEST
        else [*(one.old for one in pairs_in(said) if is_telling(one.old)), *_named(_LEFT, said)]
    )


def no_longer_in(said: str) -> list[str]:
    """What it says is not there any more, or was given up."""
    return [] if len(said) > LONGEST else [*given_up_in(said), *_named(_GONE, said)]


def _has_versions(word: str) -> bool:
    return bool(canonical(word)) or (kind_of(word) == "name" and is_telling(word))


def _named(patterns: tuple[re.Pattern[str], ...], said: str) -> list[str]:
    found = [bare(match["old"]) for pattern in patterns for match in pattern.finditer(said)]
    return [one for one in found if is_telling(one) and (not is_plain(one) or canonical(one))]


def bare(word: str) -> str:
    """A word without its quotes and the end of the sentence."""
    return word.strip("`'\"()").rstrip(".:!")


def is_coded(word: str) -> bool:
    """Is it a piece of code, a path or an identifier?"""
    return any(value.kind in CODED for value in values_in(word))


def is_telling(text: str) -> bool:
    """Could it name something?"""
    word = text.casefold()
    if word in STOPWORDS or word in ELSEWHERE or word in _EMPTY:
        return False
    return len(word) > 2 or not word.isalpha() or text.isupper() or bool(canonical(word))


def is_plain(text: str) -> bool:
    """Is it an ordinary word of a sentence, neither a name nor a value?"""
    return not kind_of(text) and text.islower()
