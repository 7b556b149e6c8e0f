"""Find vendor tokens: every long run of token characters is looked up by how it starts."""

from __future__ import annotations

from recollect.text.patterns import compiled, escape, lazy
from recollect.text.secrets.anchors import ANCHORED
from recollect.text.secrets.behind import SPACED, TAILS, behind
from recollect.text.secrets.encoded import encoded
from recollect.text.secrets.places import LINK_WORDS, links
from recollect.text.secrets.rules import TOKENS
from recollect.text.secrets.values import filler, generated

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from recollect.text.secrets.encoded import KindIn

Span = tuple[int, int, str]

LONG_RUN = lazy(r"[A-Za-z0-9_\-]{16,}")
_TOKEN_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"  # noqa: S105
_ANSI = lazy(r"[0-9]{1,3}m")
_DISCORD = lazy(r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])")
_CALLED = lazy(r"(?<![\w.])(?:\w+\.)*(?:[A-Z]\w*|\w*(?:[Cc]lient|[Ss]earch)|init|initialize|configure|login|auth)\Z")
_EARLIER_ARGUMENT = lazy(r"[\"'][\w.-]{4,40}[\"'], [\"']\Z")
_IDENTIFIER = lazy(r"[a-z]{2,8}[_-]")
_MAILGUN = lazy(r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\Z")
_NGROK = lazy(r"[1-3][A-Za-z0-9]{26}_[A-Za-z0-9]{21}\Z")
_RAPIDAPI = lazy(r"[0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{6}jsn[0-9a-f]{12}\Z")
_BUNDLER = lazy(r"BUNDLE_[A-Z0-9_]+__[A-Z]+[\"']?[ ]?[:=][ ]?[\"']?([^\s\"':$]{4,80}:[^\s\"'$]{4,80})")
_ACCOUNTS = lazy(r"accounts[\"']?\s{0,4}[:=]\s{0,4}\[\s{0,16}[\"'`]\Z")
_LEADING_NUMBER = lazy(r"(?:(?<![\w.|~])|(?<=\\[nrt]))[0-9]{1,7}[|~]\Z")
_AWS_SECRET = lazy(r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_TWILIO_PAIR = lazy(r"[0-9a-f]{32}[^0-9A-Za-z\n]{1,12}([0-9a-f]{32})(?![0-9A-Za-z])")
_NUMBERED = lazy(
    r"(?:(?<![0-9A-Za-z/])|(?<=bot)|(?<=\\[nrt]))(?:([0-9]{6,12})|([12]/[0-9]{13,19}(?:/[0-9]{13,19})?)):\Z"
)

_ANCHOR_WORDS = tuple([rule[1] for rule in ANCHORED])
# Base64 with slashes and pluses may hold no long run for a while.
_BROKEN = ("glc_", "ABSK", "fm2_")
_LONGEST_PLAIN = 60
_MARK = lazy(r"(?<=[A-Za-z0-9_-])[_-](?=[A-Za-z])")
_MARKED = lazy(r"[A-Za-z0-9]{3}[_-]\Z")  # `ghp_`, `glpat-`: letters and a mark of their own
# `AKIA`, `hf_`, `hvs.`, `eyJ`: seldom the start of anything else, so that a generated value behind it tells.
_SELDOM = lazy(r".{4}|..[_.-]\Z|eyJ")
_PLAIN = lazy(r"[^\W_][\w./'\"(),;?!\-]*\Z")
_PAIRED = ("AC", "FlyV1", *SPACED)  # what goes on behind a space


def _by_head() -> dict[str, list[tuple[str, str, str]]]:
    heads: dict[str, list[tuple[str, str, str]]] = {}
    for rule in TOKENS:
        start = rule[1]
        for end in ("",) if len(start) >= 3 else _TOKEN_CHARS:
            heads.setdefault((start + end)[:3], []).append(rule)
    return heads


_HEADS = _by_head()
# What else a token may hang on; an anchor that is a mark needs more of its own piece than a plain one has.
_ANCHORS = lazy("|".join(map(escape, (*_PAIRED, *(rule[1] for rule in ANCHORED if len(rule[1]) > 1), *LINK_WORDS))))


def tokens(text: str, first_run: int = 0) -> Iterator[Span]:
    """Spans of vendor tokens; they may overlap. Before `first_run` there is no long run."""
    done = 0
    around: list[str] = []
    for run in LONG_RUN.finditer(text, first_run):
        start, end = run.span()
        if end <= done:
            continue
        around.append(text[max(0, start - 64) : end + 24])
        found = _found(text, start, end)
        if not found and text[start - 4 : start] in TAILS:
            found = behind(text, start)
        if found:
            yield found
            done = found[1]
            if found[2] == "aws-access-key-id":
                yield from _aws_secret_nearby(text, found[0], found[1])
    near = "\n".join(around) if "Q~" not in text else text
    if any(map(near.__contains__, _ANCHOR_WORDS)) or any(map(text.__contains__, _BROKEN)):
        for kind, anchor, before, after in ANCHORED:
            if anchor in near or (anchor in _BROKEN and anchor in text):
                yield from _anchored(text, kind, anchor, before, after)
    if any(map(near.__contains__, LINK_WORDS)):
        yield from links(text, near)


def is_plain(piece: str, kind_in: KindIn) -> bool:
    """Is a text without spaces nothing to these rules, alone and beside any other such text? `kind_in` tells what a
    text holds, if any."""
    if len(piece) < 16 and piece.isalpha() and piece.islower():
        return piece not in SPACED
    if len(piece) > _LONGEST_PLAIN or not _PLAIN.match(piece) or _ANCHORS.search(piece):
        return False
    return not any(_found(piece, *run.span()) for run in LONG_RUN.finditer(piece)) and not any(encoded(piece, kind_in))


def _found(text: str, start: int, end: int) -> Span | None:
    return _looked_up(text, start) or _by_shape(text, _after_escape(text, start), end) or _glued(text, start, end)


def _glued(text: str, start: int, end: int) -> Span | None:
    """A token behind a word and a mark, as in `backup_ghp_...`, if it starts as nothing else does."""
    for mark in _MARK.finditer(text, start, end):
        rules = [rule for rule in _HEADS.get(text[mark.end() : mark.end() + 3], ()) if _SELDOM.match(rule[1])]
        found = _first_match(text, mark.end(), rules, is_glued=True) if rules else None
        if found:
            return found
    return None


def _looked_up(text: str, run_start: int) -> Span | None:
    start = _after_escape(text, run_start)
    rules = _HEADS.get(text[start : start + 3])
    found = _first_match(text, start, rules) if rules else None
    if found or text[run_start - 1 : run_start] != ".":
        return found
    head = text[max(0, run_start - 40) : run_start]
    start = _after_escape(text, run_start - len(head) + len(head.rstrip(_TOKEN_CHARS + ".")))
    rules = _HEADS.get(text[start : start + 3])
    return (_first_match(text, start, rules) if rules else None) or _glued(text, start, run_start - 1)


def _after_escape(text: str, start: int) -> int:
    """Where the token of this run starts when an escape (newline, percent, colour) ran into it."""
    before = text[start - 1] if start else " "
    if before == "\\":
        start += {"u": 5, "x": 3}.get(text[start], 1)
    elif before == "%":
        start += 2
    elif before in "[;" and (colour := _ANSI.match(text, start)):
        start = colour.end()
    while text[start : start + 1] in ("-", "_"):
        start += 1
    return start


def _first_match(text: str, start: int, rules: list[tuple[str, str, str]], *, is_glued: bool = False) -> Span | None:
    for kind, prefix, pattern in rules:
        if not text.startswith(prefix, start) or (len(prefix) <= 3 and _in_base64(text, start, prefix)):
            continue
        is_marked = _MARKED.search(prefix) is not None
        body = None if is_glued and not is_marked else _pattern(pattern, is_marked).match(text, start + len(prefix))
        if body is None and not is_marked and _SELDOM.match(prefix):
            # Between underscores only a generated value tells a token from a longer name.
            body = _pattern(pattern, True).match(text, start + len(prefix))
            body = body if body and generated(body.group()) else None
        if body and not filler(body.group()):
            return start, body.end() - (len(body.group()) - len(body.group().rstrip("."))), kind
    return None


def _in_base64(text: str, start: int, prefix: str) -> bool:
    """Does a short start of letters stand in a blob, where chance would make it often?"""
    return prefix.isalnum() and prefix != "SK" and text[start - 1 : start] in ("+", "/") and text[start - 2].isalnum()


def _pattern(pattern: str, is_marked: bool = False) -> re.Pattern[str]:
    """The pattern, at its end: an underscore goes on with a name, but not with what starts as no name does."""
    return compiled(f"(?:{pattern})(?![A-Za-z0-9{'' if is_marked else '_'}])")


def _by_shape(text: str, start: int, end: int) -> Span | None:
    """Tokens without a fixed start: Discord's three parts, a key after its numbers, Twilio's pair."""
    first = text[start : start + 1] or " "
    if first in "MNO" and 23 <= end - start <= 28:
        whole = _DISCORD.match(text, start)
        return (start, whole.end(), "discord-token") if whole and not filler(whole.group()) else None
    if first == "A" and text.startswith("AC", start):
        pair = _TWILIO_PAIR.match(text, start + 2)
        return (pair.start(1), pair.end(1), "twilio-auth-token") if pair else None
    if first == "B" and text.startswith("BUNDLE_", start):
        pair = _BUNDLER.match(text, start)
        return (pair.start(1), pair.end(1), "bundler-credentials") if pair and not filler(pair.group(1)) else None
    if end - start in _TELLING_LENGTHS and (found := _by_length(text, start, end)):
        return found
    before = text[start - 1 : start]
    if before in ("'", '"') and end - start >= 20 and text[start - 4 : start - 1].endswith(("(", "', ", '", ')):
        return _client_key(text, start, end)
    if before == ":" and 32 <= end - start <= 35 and not filler(text[start:end]):
        numbers = _NUMBERED.search(text[max(0, start - 44) : start])
        if numbers and end - start == (35 if numbers.group(1) else 32):
            number = numbers.group(1) or numbers.group(2)
            return start - len(number) - 1, end, "telegram-bot-token" if numbers.group(1) else "asana-token"
    return None


_TELLING_LENGTHS = frozenset((40, 48, 49, 50, 64, 66))


def _by_length(text: str, start: int, end: int) -> Span | None:
    """RapidAPI's marks, a number and a bar or tilde before a Laravel or Canvas token, keys in a list of accounts."""
    if end - start == 50:
        if _MAILGUN.match(text, start, end) and "mailgun" in text[max(0, start - 400) : end + 200].lower():
            return start, end, "mailgun-key"
        return (start, end, "rapidapi-key") if _RAPIDAPI.match(text, start, end) else None
    if end - start == 49:
        return (start, end, "ngrok-token") if _NGROK.match(text, start, end) and generated(text[start:end]) else None
    before = text[start - 1 : start]
    if before and before in ("~" if end - start == 64 else "|" if end - start in (40, 48) else ""):
        number = _LEADING_NUMBER.search(text, max(0, start - 11), start)
        value = text[start:end]
        mixed = not value.islower() and not value.isupper() and value.isalnum() and generated(value)
        return (number.start(), end, "laravel-token" if before == "|" else "canvas-token") if number and mixed else None
    if end - start in (64, 66) and before in ("'", '"', "`") and _ACCOUNTS.search(text, max(0, start - 48), start):
        return start, end, "ethereum-key"
    return None


def _client_key(text: str, start: int, end: int) -> Span | None:
    """The key that a vendor's client is made with, `cohere.Client("...")`: its name stands in front."""
    earlier = _EARLIER_ARGUMENT.search(text, max(0, start - 46), start)
    opened = (earlier.start() if earlier else start - 1) - 1
    value = text[start:end]
    if text[opened : opened + 1] != "(" or _IDENTIFIER.match(value) or not generated(value):
        return None
    called = _CALLED.search(text, max(0, opened - 64), opened)
    if not called:
        return None
    from recollect.text.secrets.names import vendor_in

    vendor = vendor_in(called.group())
    return (start, end, f"{vendor}-key") if vendor and not filler(value) else None


def _aws_secret_nearby(text: str, start: int, end: int) -> Iterator[Span]:
    """The secret half stands next to its id and has no mark of its own."""
    for found in _AWS_SECRET.finditer(text, max(0, start - 160), min(len(text), end + 160)):
        value = found.group()
        kinds = (any(map(str.isupper, value)), any(map(str.islower, value)), any(map(str.isdigit, value)))
        if all(kinds) and not filler(value):
            yield found.start(), found.end(), "aws-secret-key"


def _anchored(text: str, kind: str, anchor: str, before: str, after: str) -> Iterator[Span]:
    left = compiled(f"(?:{before})\\Z")
    right = _pattern(after)
    at = text.find(anchor)
    while at >= 0:
        body = right.match(text, at + len(anchor)) if before or _stands_free(text, at) else None
        head = left.search(text, max(0, at - 90), at) if body else None
        free = body and head and _stands_free(text, head.start()) and not filler(text[head.start() : body.end()])
        if body and head and free:
            yield head.start(), body.end(), kind
        at = text.find(anchor, at + len(anchor))


def _stands_free(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    return before not in _BEFORE or (before in "nrt" and text[start - 2 : start - 1] == "\\")


_BEFORE = frozenset(_TOKEN_CHARS)
