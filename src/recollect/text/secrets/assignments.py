"""Where the value of a secret's name stands in text: env, YAML, JSON, INI, code, flags, headers, prose."""

from __future__ import annotations

import re

from recollect.text.patterns import lazy
from recollect.text.secrets.names import classify, secret_kind
from recollect.text.secrets.values import MARKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int, str]
Found = tuple[int, int, str]

_NAME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_ASSIGN = lazy(
    # Each word is entered at its rarest letter, which makes the scan three times faster.
    r"(?:k(?:ey|(?<=tok)en|(?<=psk))|w(?:(?<=passw)|(?<=pw)d|(?<=pw)(?![a-z]))|c(?:(?<=sec)ret|red)|u(?<=au)th"
    r"|p(?:ass(?!w)|at(?<=[_-]pat)(?![a-z])))[a-z0-9_.\-]{0,48}+"
    r"[\"'`\]\\)*?]{0,6}+(?:[ \t]#?[0-9]{1,2}(?=[ \t]?[:=]))?+"
    r"(?:[ \t]{0,40}+(?P<sep>=>|->|→|::?=|[?.+]=|={1,3}|!={1,2}|::?|>|,|\(|\|\||\?\?)"
    r"|[ \t]+(?P<verb>is|was|to|of|be|are)(?=[ \t:]|(?<=[ia]s)\r?\n)|[ \t]*(?:\||[-–—]{1,8})?(?=[ \t]))"
    r"[ \t*:]{0,40}+"
)
_ANNOTATION = lazy(r"[A-Za-z_][\w.\[\], |?]{0,40}?[ \t]*=[ \t]*(?=[fFrRbBuU]?[\"'])")
_BLOCK = lazy(r"(?:!!binary[ \t]+)?[|>][-+]?[ \t]*\n[ \t]+|!!binary[ \t]+")
_OPEN = lazy(r"[fFrRbBuULN@$]{0,2}(?P<escape>\\{0,7})(?P<quote>\"\"\"|'''|[\"'`])")
_INSIDE = {quote: lazy(rf"(?:[^{quote}\\\r\n]|\\.)*+") for quote in "\"'`"}
# What stands here when the quote closed a string instead of opening one: `"password=" + word`.
_CLOSED = lazy(r"[ \n]|[,);}\]](?:[ ,;)\n]|$)|,[\w$]+[:=]\Z")
# A text that code goes on with: `"application:" + key`.
_GOES_ON = lazy(r"[\"'`][ ]?[+.][ ]?[\w$]")
_JOINED = lazy(r"\+\s*[A-Za-z_][A-Za-z_.()\[\]]*\s*\+\Z")  # what stands between two quoted texts in code
_BARE = lazy(r"[^\s\"'`<>\\]{1,1024}+")
_PROSE_GAP = lazy(
    r"(?:for|of|to|on|in|at|from)[ \t](?:[\w.'@/-]{1,24}[ \t]){0,5}?[\w.'@/-]{1,24}(?:[ \t](?:is|was|=)|[ \t]?:)"
    r"(?:[ \t:]{1,4}|[ \t]?\n\s{0,4})"
)
_MADE = lazy(
    r"(?:re)?(?:generated|created|set|issued)(?:[ ](?:for|to|as|on)(?:[ ][\w.'@/-]{1,32}){1,5}?)?[ ]?[:=]"
    r"(?:[ \t]{1,4}|\n\s{0,4})"
)
_GAP_WORDS = ("for", "of", "to", "on", "in", "at", "from")
_MADE_WORDS = ("generated", "regenerated", "created", "set", "reset", "issued")
_HOLDER = lazy(r"[a-z_]{2,24} = ")  # `PASSWORD elastic = ...`
# The value stands one level deeper: parameters of templates, a declaration with a type.
_WRAPPED = lazy(
    r"\{\s{0,8}[\"']?(?:value|default|defaultValue)[\"']?\s{0,4}:\s{0,4}"
    r"|\n(?:[ \t]{1,16}\w{1,24}:[^\n]{0,80}\n){0,6}?[ \t]{1,16}Default:[ \t]{1,4}"
)
_WRAPPER = lazy(
    r"(?:new )?(?:String(?:::from)?|Secret(?:Str|String)?(?:::new|\.new)?|SecureString|Some|Password|Buffer\.from"
    r"|bytes)\(\s{0,4}(?=[\"'])"
)
_DECLARED = lazy(r"(?:secure)?[Ss]tring[ \t]*:?=[ \t]*(?=[\"'])")
# The value stands on the next line, perhaps as a list item, a quotation or in a code fence.
_NEXT_LINE = lazy(
    r"[ \t]{0,8}\r?\n(?:[ \t]{0,16}\r?\n)?[ \t]{0,16}(?:[>|*-][ \t]{1,4}|```\w{0,12}\r?\n[ \t]{0,16})?(?=\S)"
)
_KEYED = lazy(r"[\w.-]{1,64}[\"']?[ \t]*[:=]")
_LEVEL = lazy(r"[0-9] (?=\S{0,60}[0-9])")  # how a router says that the password is scrambled: `password 7 ...`
_NEXT_FIELD = lazy(r"[a-z_.]{2,32}=(?!=)")
_PUBLIC_FIELD = lazy(r"checksum/\Z|badge[\w./]{0,12}\?\Z")
_PARENT = lazy(r"([\w-]{2,32})[\"']?\s{0,4}:\s{0,4}\{?\s{0,16}[\"']?\Z|\[([\w.-]{2,32})\]\s{1,4}\Z")
_SETTING = ("setenv ", "set -x ", "set -gx ", "set -Ux ", "ENV ")  # what sets a variable without a sign between
_LOGIN = lazy(r"(?:login|machine|user)[ \t]+\S+\s+\Z")
_FIELD = lazy(r"([?&;])[ ]?[\w. %-]*=\Z")
# `password=...` inside a sentence, where code would have a bracket or a comma beside it.
_SAID = lazy(r"(?:^|\n|[.:;!?\w\"'`)] )\Z")
_ENDS = lazy(r"(?![a-z]+(?:[A-Z][a-z]+)+\b)[^\s,;()\[\]{}<>\"'`\\=.$/]{4,256}(?:[.;:!?]?(?:\s|\Z)|, \S)")
_SET_TO = lazy(r"\b(?:[Ss]et|[Cc]hanged?|[Rr]eset|[Uu]pdated?)\b[^.\n]{0,40}\Z")


def assignments(text: str, low: str) -> Iterator[Span]:
    """Spans of values that stand under a secret's name: env, YAML, JSON, INI, code, flags, headers, prose."""
    done = 0
    for match in _ASSIGN.finditer(low):
        if match.start() < done:
            continue
        head = text[max(0, match.start() - 64) : match.start()]
        start = match.start() - len(head) + len(head.rstrip(_NAME_CHARS))
        stop = match.start()
        while stop < match.end() and text[stop] in _NAME_CHARS:
            stop += 1
        name = text[start:stop]
        before = _word_before(text, start, name) if len(name) < 16 else ""
        if classify(name, before) is None:
            continue
        span = _value_span(text, match, name, start)
        if span is None or (text.startswith("::", start - 2) and (match["sep"] != ":" or span[2] != "quoted")):
            continue
        begin, end, form = span
        if text.startswith("Ag", begin) and "encryptedData" in text[max(0, start - 2000) : start]:
            continue  # a sealed secret is made to be shown
        if text[begin:end].lower() == name.lower() or _PUBLIC_FIELD.search(text, max(0, start - 24), start):
            continue
        kind = secret_kind(name, text[begin:end], form=form, before=before)
        if kind is not None:
            yield begin, end, kind
        # A name may stand inside a value that was refused, but a long one is not read again from every name in it.
        done = end if kind else begin + 64 if end - begin > 200 else 0


def _word_before(text: str, start: int, name: str) -> str:
    """The word in front of a name, or the name of what holds a plain `key`."""
    if name.lower() == "key" and (parent := _PARENT.search(text, max(0, start - 80), start)):
        return parent.group(1) or parent.group(2)
    head = text[max(0, start - 24) : start]
    if head[-1:] != " ":
        return ""
    return head[len(head[:-1].rstrip(_NAME_CHARS)) : -1]


def _value_span(text: str, match: re.Match[str], name: str, start: int) -> Found | None:
    """Where the value stands and how it is written: quoted, env, plain, prose or weak."""
    sep, at = match["sep"], match.end()
    if sep not in ("=", ":", "=>") and match["verb"] not in ("is", "was") and name.lower() in ("pass", "pw"):
        return None
    if sep == ":" and name == "PASS":
        return None  # what a test says of itself
    if sep is None:
        told = _told(text, match, name)
        if told is not None:
            return told
    at = _past_wrapping(text, at, sep, match["verb"])
    is_told = sep in ("=", ":", ":=", "=>") or match["verb"] in ("is", "was")
    if is_told and text[at : at + 1] in ("\r", "\n"):
        return _below(text, at)
    span = quoted_span(text, at)
    if span is not None:
        if span[2] == "quoted" and (sep == "=" or match["verb"] in ("is", "was")):
            return span[0], span[1], "literal"
        return _as_argument(text, span, sep, name, start) if sep in ("(", ",") else span
    if sep in (",", "(", "||", "??", "==", "===", "!=", "!==") or (sep == ">" and not _tag(text, match, start)):
        return None
    form = _form(text, sep, match["verb"], name, start, at)
    return None if form == "weak" and _NEXT_FIELD.match(text, at) else _bare_span(text, at, form)


def _below(text: str, at: int) -> Found | None:
    """The value on the line below its name, if that line is not a field of its own."""
    gap = _NEXT_LINE.match(text, at)
    if gap is None or _KEYED.match(text, gap.end()):
        return None
    span = quoted_span(text, gap.end())
    if span is not None:
        return span
    bare = _bare_span(text, gap.end(), "weak")
    # A line of several words is a sentence.
    return bare if bare and text[bare[1] : bare[1] + 1] in ("", "\r", "\n", ",", ".", ";", "`", "[") else None


def _past_wrapping(text: str, at: int, sep: str | None, verb: str | None) -> int:
    """Where the value starts, behind a type, a block mark, a constructor or white space."""
    first, ahead = text[at : at + 1], text[at : at + 80]
    if sep == ":":
        wrapping = _ANNOTATION.match(text, at) if "=" in ahead else None
        wrapping = wrapping or (_BLOCK.match(text, at) if first and first in "|>!" else None)
        wrapping = wrapping or (_WRAPPED.match(text, at) if first and first in "{\n" else None)
        at = wrapping.end() if wrapping else at
    elif sep is None and verb is None:
        wrapping = _DECLARED.match(text, at) if "=" in ahead else None
        at = wrapping.end() if wrapping else at
    elif sep == ">":
        at += len(ahead) - len(ahead.lstrip())
    if sep in ("=", ":", ":=", "=>") and "(" in text[at : at + 40]:
        wrapping = _WRAPPER.match(text, at)
        at = wrapping.end() if wrapping else at
    return at


def _told(text: str, match: re.Match[str], name: str) -> Found | None:
    """The value behind words that say whose it is: `password for the demo account: ...`."""
    verb, at = match["verb"], match.end()
    if verb is None and (level := _LEVEL.match(text, at)):
        return _bare_span(text, level.end(), "flag")
    gap = None
    if verb in (None, "is", "was") and text.startswith(_MADE_WORDS, at):
        gap = _MADE.match(text, at)
    elif verb is None and text.startswith(_GAP_WORDS, at):
        gap = _PROSE_GAP.match(text, at)
    elif verb is None and name.isupper():
        gap = _HOLDER.match(text, at)
    elif verb in _GAP_WORDS:
        gap = _PROSE_GAP.match(text, match.start("verb"))
    if gap is None:
        return None
    if _OPEN.match(text, gap.end()):
        return quoted_span(text, gap.end())
    return _bare_span(text, gap.end(), "weak" if "\n" in gap.group() else "prose")


def _as_argument(text: str, span: Found, sep: str, name: str, start: int) -> Found | None:
    """`set("DB_PASSWORD", "x")` and `setPassword("x")` name their value; `f("password", "x")` may."""
    if sep == "," and text[start - 1 : start] not in ("'", '"', "`", ":"):
        return None
    return span if sep == "(" or "_" in name.strip("_") else (span[0], span[1], "weak")


def _tag(text: str, match: re.Match[str], start: int) -> bool:
    """Inside an XML element of that name, or of that name attribute."""
    opened = text[start - 1 : start] == "<" or match.group().rstrip(" \t*:").endswith(('">', "'>"))
    return (
        opened
        and text.find("</", match.end(), match.end() + 512) >= 0
        and "@" not in text[match.end() : match.end() + 1]
    )


def _form(text: str, sep: str | None, verb: str | None, name: str, start: int, at: int) -> str:
    ahead = text[start - 1 : start]
    tight = sep == "=" and text[at - 1] == "=" and ahead in ("", "\n", " ", ";", "\t", '"', "'", "&", "?")
    if tight and (name.isupper() or name == "pwd" or ahead in ("&", "?") or (ahead == ";" and "." not in name)):
        return "env"
    if tight and "." not in name and _SAID.search(text, max(0, start - 64), start) and _ENDS.match(text, at):
        return "env"
    if sep == ">":
        return "quoted"
    if name.startswith("-") and sep in (None, "="):
        return "plain" if sep else "flag"
    if verb:
        told = verb in ("is", "was") or _SET_TO.search(text, max(0, start - 48), start)
        return "prose" if told else "weak"
    if sep is None and (text.endswith(_SETTING, 0, start) or _LOGIN.search(text, max(0, start - 80), start)):
        return "flag"
    return "plain" if sep else "weak"


def quoted_span(text: str, at: int) -> Found | None:
    """The inside of the quotes that open here."""
    opened = _OPEN.match(text, at)
    if opened is None:
        return None
    begin, quote = opened.end(), opened["quote"]
    if opened["escape"] or len(quote) == 3:
        end = text.find(opened["escape"] + quote, begin, begin + 4096)
    else:
        inside = _INSIDE[quote].match(text, begin)
        end = inside.end() if inside and text[inside.end() : inside.end() + 1] == quote else -1
    if end < 0:
        return _bare_span(text, begin, "plain")
    if end == begin or _CLOSED.match(text, begin, end) or _JOINED.match(text, begin, end):
        return None
    if text[end - 1] in ":=/@?&" and _GOES_ON.match(text, end):
        return None
    return _before_marker(text, begin, end, "quoted")


def _bare_span(text: str, at: int, form: str) -> Found | None:
    bare = _BARE.match(text, at)
    if bare is None:
        return None
    value = bare.group()
    if form != "env":
        value = re.split(r"[,;](?:$|[^!-~])|[,;&][\w.\-]+=", value, maxsplit=1)[0].rstrip(",;:")
    if form in ("prose", "weak"):
        value = value.rstrip(".,;:?)]}")
    elif ")" in value and "(" not in value[: value.index(")")]:
        value = value[: value.index(")")]
    if field := _FIELD.search(text, max(0, at - 64), at):
        value = re.split(";" if field.group(1) == ";" else "[&;]", value, maxsplit=1)[0]
    value = value.rstrip("]}|*") if "{" not in value and "[" not in value else value
    value = value.rstrip(";") if form == "env" else value
    return _before_marker(text, at, at + len(value), form) if value else None


def _before_marker(text: str, begin: int, end: int, form: str) -> Found | None:
    marker = text.find(MARKER, begin, end)
    end = marker if marker >= 0 else end
    return (begin, end, form) if end > begin else None
