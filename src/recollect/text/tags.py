"""Tags in stored text that would end or begin what Recollect or a host puts around it, in whatever letters."""

from __future__ import annotations

from recollect.text.lookalikes import LOOK_ALIKES

OPENERS = "<\uff1c\ufe64"
WINDOW = 80  # characters of a tag that are looked at
# What stands around what the model is given, as its letters alone: ours, then what hosts use.
NAMES = (
    "memorycontext",
    "memoryprofile",
    "dynamiccontextboard",
    "additionaldata",
    "antmlfunction",
    "antmlinvoke",
    "commandmessage",
    "commandname",
    "environmentcontext",
    "functioncalls",
    "functionresult",
    "hookcontext",
    "hookprompt",
    "localcommandstd",
    "posttoolusehook",
    "pretoolusehook",
    "sessionstarthook",
    "systemnotification",
    "systemreminder",
    "toolcall",
    "toolresult",
    "tooluse",
    "userinstructions",
    "userprompt",
    "userquery",
)
SHORT_NAMES = ("system",)  # too short to be told from the beginning of another name
_ENDS = OPENERS + "‹>=\"'"
_SLASHES = "/\\\u2044\u2215\u29f8"
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0"  # counted as letters, and seen by nobody


def harmless(text: str) -> str:
    """The text with the openings of such tags replaced, and of every closing tag that nothing in the text opened."""
    characters = list(text)
    opened: set[str] = set()
    for at, character in enumerate(text):
        if character not in OPENERS:
            continue
        closing, word, letters = _name(text[at + 1 : at + 1 + WINDOW])
        known = word == "|" or word in SHORT_NAMES or letters.startswith(NAMES)
        if known or (closing and word and word not in opened):
            characters[at] = "‹"
        elif not closing:
            opened.add(word)
    return "".join(characters)


def _name(rest: str) -> tuple[bool, str, str]:
    """Whether the tag is a closing one, its first word, and all its letters together; `|` where that opens it."""
    if not rest.isascii():
        from unicodedata import normalize

        rest = normalize("NFKC", rest)
    rest = rest.translate(LOOK_ALIKES).casefold()
    if rest.lstrip().startswith("|"):
        return False, "|", ""
    closing = False
    word, letters = "", ""
    for character in rest:
        if character in _FILLERS:
            continue
        if character.isalnum():
            letters += character
        elif character in _SLASHES and not letters:
            closing = True
        elif character in _ENDS or character in _SLASHES:
            break
        elif character.isspace() and letters and not word:
            word = letters
    return closing, word or letters, letters
