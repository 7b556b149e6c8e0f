"""Secrets known by the shape around them: key blocks, URLs, headers, cookies, name and value in two fields."""

from __future__ import annotations

from recollect.text.patterns import lazy
from recollect.text.secrets.assignments import quoted_span
from recollect.text.secrets.names import basic_pair, classify, placeholder_pair, secret_kind
from recollect.text.secrets.values import MARKER, generated, literal_password, stands_in, strict_password

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

Span = tuple[int, int, str]

_KEY_BLOCK = lazy(
    r"-----BEGIN (?P<pem>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
    r"|---- BEGIN (?P<ssh2>SSH2 ENCRYPTED PRIVATE KEY) ----"
)
_KEY_LINES = lazy(
    r"(?:(?:\\[nr]|\s|\\u000[ad]|[>|#*+\"',]|&#10;|(?<=[\s|])[0-9]{1,6}(?:→|\t|[:|][ ]?))*+"
    r"(?:[A-Za-z][A-Za-z-]{2,20}: [^\n\\]{1,80}(?=\\n|\n)|(?!-----)[A-Za-z0-9+/=_-]{8,}+))*+"
)
_KEY_END = lazy(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY")
_KEY_TAIL = lazy(r"(?:[A-Za-z0-9+/=]{16,}+(?:\\[nr]|\s){1,4})++\Z")
_PUTTY = lazy(
    r"Private-Lines: \d{1,4}\s{1,2}((?:[A-Za-z0-9+/=]{1,76}+\s{1,2}){1,200}(?:Private-MAC: [0-9a-f]{32,80})?)"
)

_URL_USER = lazy(
    r"://(?P<user>[^\s:/@'\"<>`\\?#]{0,128}+(?:@[A-Za-z0-9.-]{1,64}(?=:[^\s/@]{1,128}@))?)(?::(?P<password>[^\s'\"<>`/\\]{1,256}))?@(?=[A-Za-z0-9_.\[$*-])"
)

_MAIL_PAIR = lazy(
    r"@(?:(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![\w.])|(?<=\w@)[A-Za-z0-9-]{1,60}(?:\.[A-Za-z0-9-]{2,24}){1,3}:([^\s:/@,;\"'`<>\[]{6,64})(?!\S))"
)
_USER_BEFORE = lazy(r"(?<![\w:])[\w.$-]{1,40}:([^\s:@/\"'`]{6,64})\Z")
_FILE_NAME = lazy(r"\.[A-Za-z][A-Za-z0-9]{1,4}\Z")

_HEADER = lazy(
    r"authorization[\"'\\]{0,4}\]?[ \t]{0,4}[:=,][ \t]{0,4}[f@$]?[\"'\\`]{0,4}"
    r"(?:[a-z][a-z0-9-]{1,20}+[ \t=]{1,4}(?=[^\s\"'`]{6}))?"
    r"([^\s\"'`,;<>\\]{6,4096}+)"
)
_BEARER = lazy(r"bearer[ \t]{1,4}([a-z0-9._~+/=\-]{12,4096}+)")
_BASIC = lazy(r"basic[ \t]{1,4}([a-z0-9+/]{8,2048}+={0,2})")

_COOKIE = lazy(r"cookie[\"']?[ \t:=,]{1,8}[\"'`]?([^\n]{8,4096})")
_COOKIE_PAIR = lazy(r"([\w.\-]{2,64}+)=([^\s;,\"'\\]{8,4096}+)")
_COOKIE_NAME = lazy(
    r"sess|sid$|^sid|auth|token|jwt|remember|login|csrf|xsrf|secure|identity|sso|ticket|clearance|^s$|user"
)
_SESSION_NAMES = ("sessid", "sessionid", "connect.sid", "_session", "aspxauth", "wordpress_logged_in_")
_UUID = lazy(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-")
_SESSION_VALUE = lazy(r"\w{0,40}+[=:][ \t]?[\"']?([^\s;,\"'&\\]{10,1024}+)")

_VALUE_FIELD = lazy(r"value[\"'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}")
_NAME_FIELD = lazy(
    r"(?:name|key|id)[\"'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}[\"'\\]{0,3}([\w.\-]{2,64})[\"'\\]{0,3}"
    r"(?:[ \t,]{0,8}\n)?[ \t,/]{0,24}[\"'\\]{0,3}\Z"
)
_BARE_VALUE = lazy(r"[^\s\"'<>,}]{4,512}")
_PROPERTY = lazy(r"=(?:(?<=name=)|(?<=key=))[\"']([\w.\-]{2,64})[\"'][^<>\n]{0,40}>([^<\n]{3,256})</")
_TWO_ELEMENTS = lazy(r"<(?:name|key)>([\w.:\-]{2,80})</\w{3,4}>\s{0,24}<(?:value|string)>([^<\n]{3,512})</")
_FORM_FIELD = lazy(r"form-data; name=[\"']?([\w.\-]{2,64})[\"']?\r?\n\r?\n([^\r\n]{3,256})")
_ELEMENT = lazy(r"<([\w:.\-]{2,64})[ \t][^<>\n]{1,120}>([^<\n]{3,256})</")
_VARIABLE = lazy(r"variable \"([\w\-]{2,64})\"\s{0,4}\{[^{}]{0,300}?\bdefault\s{0,12}=\s{0,12}\"([^\"\n]{3,256})\"")
_CALL_PAIR = lazy(
    r"(?:(?P<firm>(?<=[a-z])Credentials?|auth(?==\())|[Aa]uth\w{0,12}|[Cc]redentials?|[Ll]ogin|sign_?[Ii]n)"
    r"[ ]?[=:(][ ]?\(?\s{0,8}[\"'][^\"'\n]{1,80}[\"']\s{0,2},\s{0,8}"
    r"(?:\w{1,12}[=:]\s?)?[\"'](?P<value>[^\"'\n]{4,128})[\"']"
)
_LOGIN_PAIR = lazy(
    r"(?:d(?<=cred)(?:entials?|s)?|g(?<=log)(?: ?in|ged in))[^\n\w(,]{1,4}(?:(?:are|is|as|with|using|were)[ :]{1,3})?"
    r"([\w.@+-]{2,40})[ ]?[/:|][ ]?([^\s\"'`,]{6,64})"
)


def key_blocks(text: str) -> Iterator[Span]:
    """PEM, PGP and OpenSSH private keys, whole or cut off, with real or escaped line ends."""
    at = 0
    while opened := _KEY_BLOCK.search(text, at):
        body = _KEY_LINES.match(text, opened.end())
        stop = body.end() if body else opened.end()
        close = f"END {opened['pem'] or opened['ssh2']}"
        end = text.find(close, stop, stop + 200)
        if end >= opened.end() + 40 and MARKER not in text[opened.end() : end]:
            at = end + len(close) + (5 if text.startswith("-----", end + len(close)) else 0)
            yield opened.start(), at, "private-key"
        else:
            at = stop
            if stop - opened.end() >= 20:
                yield opened.start(), stop, "private-key"
    closed = _KEY_END.search(text)
    if closed and not _KEY_BLOCK.search(text, 0, closed.start()):
        tail = _KEY_TAIL.search(text, max(0, closed.start() - 8000), closed.start())
        if tail:
            yield tail.start(), closed.start(), "private-key"


def putty_keys(text: str) -> Iterator[Span]:
    """The private lines of a PuTTY key file."""
    for putty in _PUTTY.finditer(text):
        yield putty.start(1), putty.end(1), "private-key"


def url_credentials(text: str) -> Iterator[Span]:
    """The password in `scheme://user:password@host`, or a token in the user's place."""
    for match in _URL_USER.finditer(text):
        password, user = match["password"], match["user"]
        if password and _real_password(password):
            yield match.start("password"), match.end("password"), "url-password"
        # The key in a Sentry DSN is public.
        if len(user) >= 20 and generated(user) and "sentry" not in text[match.end() : match.end() + 40]:
            yield match.start("user"), match.end("user"), "url-token"


def _real_password(value: str) -> bool:
    if len(value) < 4 or MARKER in value or value.startswith(("$", "%7B", "{")):
        return False
    return not stands_in(value.replace("%20", "-") if "%" in value else value)


def address_pairs(text: str) -> Iterator[Span]:
    """`ann@example.org:password` of a mail client or a list, and `user:password@10.0.0.1` without a scheme."""
    for match in _MAIL_PAIR.finditer(text):
        value = match.group(1)
        if value and strict_password(value) and not _FILE_NAME.search(value) and not stands_in(value):
            yield match.start(1), match.end(1), "password"
        user = None if value else _USER_BEFORE.search(text, max(0, match.start() - 96), match.start())
        if user and strict_password(user.group(1)) and not stands_in(user.group(1)):
            yield user.start(1), user.end(1), "password"


def headers(text: str, low: str) -> Iterator[Span]:
    """What follows Authorization, Bearer and Basic."""
    for pattern, kind in ((_HEADER, "authorization"), (_BEARER, "bearer-token"), (_BASIC, "basic-auth")):
        for match in pattern.finditer(low):
            value = text[match.start(1) : match.end(1)]
            if MARKER in value or stands_in(value) or text[match.start() - 1 : match.start()].isalnum():
                continue
            if placeholder_pair(value):
                continue
            if basic_pair(value) or (kind != "basic-auth" and len(value) >= 12 and generated(value)):
                yield match.start(1), match.end(1), kind


def cookies(text: str, low: str) -> Iterator[Span]:
    """Session values in cookie headers, and well-known session cookies anywhere."""
    for match in _COOKIE.finditer(low):
        for pair in _COOKIE_PAIR.finditer(text, match.start(1), match.end(1)):
            if _COOKIE_NAME.search(pair.group(1).lower()) and _session_value(pair.group(2)):
                yield pair.start(2), pair.end(2), "session-cookie"
    for name in _SESSION_NAMES:
        at = low.find(name)
        while at >= 0:
            after = _SESSION_VALUE.match(text, at + len(name))
            # Hosts name their sessions by UUID; a session cookie is none.
            if after and _session_value(after.group(1)) and not _UUID.search(after.group(1)):
                yield after.start(1), after.end(1), "session-cookie"
            at = low.find(name, after.end() if after else at + len(name))


def _session_value(value: str) -> bool:
    return MARKER not in value and not stands_in(value) and generated(value)


def pairs(text: str, low: str) -> Iterator[Span]:
    """A name and its value in two fields of one record, and `credentials: user / password`."""
    for match in _VALUE_FIELD.finditer(low):
        field = _NAME_FIELD.search(low, max(0, match.start() - 120), match.start())
        if field:
            yield from _named(text, text[field.start(1) : field.end(1)], match.end())
    records = (_PROPERTY, _ELEMENT, _TWO_ELEMENTS) if "</" in text else ()
    records = (*records, _FORM_FIELD) if "form-data" in low else records
    for pattern in (*records, _VARIABLE) if 'variable "' in text else records:
        yield from _record(text, pattern)
    for match in _LOGIN_PAIR.finditer(low) if "cred" in low or "log" in low else ():
        value = text[match.start(2) : match.end(2)].rstrip(".);")
        if MARKER not in value and strict_password(value) and literal_password(value, firm=True):
            yield match.start(2), match.start(2) + len(value), "password"


def call_pairs(text: str) -> Iterator[Span]:
    """The second of two texts that a login takes: `auth=("ann", "...")`, `NetworkCredential("ann", "...")`."""
    for match in _CALL_PAIR.finditer(text):
        value = match["value"]
        shown = strict_password(value) or (match["firm"] and literal_password(value, firm=True))
        if shown and MARKER not in value and not stands_in(value):
            yield match.start("value"), match.end("value"), "password"


def _record(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    for match in pattern.finditer(text):
        kind = secret_kind(match.group(1), match.group(2), form="quoted") if MARKER not in match.group(2) else None
        if kind:
            yield match.start(2), match.end(2), kind


def _named(text: str, name: str, at: int) -> Iterator[Span]:
    session = name.lower().startswith(_SESSION_NAMES) or name.lower().endswith("sessid")
    if classify(name) is None and not session:
        return
    span = quoted_span(text, at)
    bare = _BARE_VALUE.match(text, at) if span is None else None
    begin, end = (span[0], span[1]) if span else (bare.start(), bare.end()) if bare else (0, 0)
    if session and _session_value(text[begin:end]):
        yield begin, end, "session-cookie"
        return
    kind = secret_kind(name, text[begin:end], form="quoted") if MARKER not in text[begin:end] else None
    if kind:
        yield begin, end, kind
