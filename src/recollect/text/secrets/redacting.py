"""Find secrets in text and take them out, before anything is stored, sent or written.

Clean text pays for a few substring tests and one scan for long runs; the rules load when something looks like a secret.
"""

from __future__ import annotations

from recollect.model.record import Record
from recollect.text.patterns import compiled, lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONG_RUN = compiled(r"[A-Za-z0-9_\-]{16}")
_USUAL_PASSES = 4
_PORT = lazy(r":(?:\d{4,5}|\*):[\w.*-]")
_SPACE = lazy(r"\s")
_LINE_END = lazy(r"\n")


class Finding(Record):
    """One secret: what it is and where its value stands."""

    kind: str
    start: int
    end: int


def find(text: str, *, may_hold_tokens: bool = True) -> list[Finding]:
    """Every secret in the text, in order, none overlapping; who knows that no vendor's token is there, says so."""
    # U+0130 is the one character whose lower case is longer; offsets must stay aligned.
    low = (text if "\u0130" not in text else text.replace("\u0130", "I")).lower()
    run = _LONG_RUN.search(text) if may_hold_tokens else None
    first = run.start() if run else len(text) if may_hold_tokens and "Q~" in text else None
    spans = [span for part in _suspicions(text, low, first_run=first) for span in part]
    return _merged(spans) if spans else []


def kind_in(text: str) -> str:
    """The kind of the first secret in the text; empty when there is none."""
    findings = find(text)
    return findings[0].kind if findings else ""


def redact(text: str) -> str:
    """The text with each secret replaced by `[redacted:KIND]`. Redacting twice changes nothing more."""
    passes = 0
    while findings := find(text):
        passes += 1
        parts: list[str] = []
        done = 0
        for finding in findings if passes <= _USUAL_PASSES else _widened(text, findings, passes):
            parts += (text[done : finding.start], f"[redacted:{finding.kind}]")
            done = finding.end
        text = "".join(parts) + text[done:]
    return text


def _widened(text: str, findings: list[Finding], passes: int) -> list[Finding]:
    """No text that anybody wrote shows more secrets pass after pass. Of one that was made to, more goes each time: the
    unspaced run around a secret, then its line, then all; so a few passes are enough for any text."""
    if passes > 3 * _USUAL_PASSES:
        return [Finding(findings[0].kind, 0, len(text))]
    edge = _SPACE if passes <= 2 * _USUAL_PASSES else _LINE_END
    edges = [-1, *(match.start() for match in edge.finditer(text)), len(text)]
    wide: list[tuple[int, int, str]] = []
    at = 0
    for finding in findings:
        while edges[at + 1] <= finding.start:
            at += 1
        first = edges[at] + 1
        while edges[at] < finding.end:
            at += 1
        wide.append((min(first, finding.start), max(edges[at], finding.end), finding.kind))
        at -= 1
    return _merged(wide)


def redact_value(value: object, name: str = "") -> object:
    """JSON-like data with the secrets taken out of its strings; a key such as `password` tells what its value is."""
    if isinstance(value, str):
        return _redact_named(value, name) if name else redact(value)
    if isinstance(value, dict):
        return {
            redact(key) if isinstance(key, str) else key: redact_value(item, key if isinstance(key, str) else "")
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [redact_value(item, name) for item in value]
    return value


def _redact_named(value: str, name: str) -> str:
    redacted = redact(value)
    if redacted != value or "[redacted:" in value or not _names_secret(f"_{name.lower()}"):
        return redacted
    from recollect.text.secrets.names import secret_kind

    kind = secret_kind(name, value, form="quoted")
    return f"[redacted:{kind}]" if kind else value


def _names_secret(low: str) -> bool:
    return (
        "pass" in low
        or "token" in low
        or "secret" in low
        or "key" in low
        or "auth" in low
        or "cred" in low
        or "psk" in low
        or "_pat" in low
        or "-pat" in low
        or "pw" in low
    )


# Every test below is a search through the whole text, so a rare character is asked for before a word.


def _suspicions(text: str, low: str, *, first_run: int | None) -> Iterator[Iterator[tuple[int, int, str]]]:
    """The searches this text calls for."""
    colon = ":" in text
    if first_run is not None:
        from recollect.text.secrets.encoded import encoded
        from recollect.text.secrets.tokens import tokens

        yield tokens(text, first_run)
        yield encoded(text, kind_in, first_run)
    if _names_secret(low):
        from recollect.text.secrets.assignments import assignments

        yield assignments(text, low)
        yield from _tables(text, low)
        if "PRIVATE KEY" in text:
            from recollect.text.secrets.shapes import key_blocks

            yield key_blocks(text)
    if not text.isascii() or "mnemonic" in low or "phrase" in low:
        from recollect.text.secrets.words import told

        yield told(text, low)
    if "wort" in low or "mot de passe" in low or "senha" in low or "wachtwoord" in low:
        from recollect.text.secrets.words import told_plainly

        yield told_plainly(text, low)
    if colon and "@" in text:
        from recollect.text.secrets.shapes import address_pairs, url_credentials

        yield url_credentials(text)
        yield address_pairs(text)
    if colon and "Private-Lines" in text:
        from recollect.text.secrets.shapes import putty_keys

        yield putty_keys(text)
    yield from _exchanges(text, low, assigned=colon or "=" in text)
    yield from _places(text, low, colon=colon)


def _tables(text: str, low: str) -> Iterator[Iterator[tuple[int, int, str]]]:
    if "\n" in text and ("|" in text or "," in text or ";" in text or "\t" in text):
        from recollect.text.secrets.tables import columns

        yield columns(text)
    if "data:" in text and "kind:" in text:
        from recollect.text.secrets.tables import manifest

        yield manifest(text)
    if "insert" in low and "values" in low:
        from recollect.text.secrets.tables import inserted

        yield inserted(text)


def _exchanges(text: str, low: str, *, assigned: bool) -> Iterator[Iterator[tuple[int, int, str]]]:
    """Headers, cookies, and what stands in pairs."""
    auth, cred = "auth" in low, "cred" in low
    login = "log" in low and ("login" in low or "log in" in low or "logged in" in low)
    if "bearer" in low or "basic" in low or (auth and "authorization" in low):
        from recollect.text.secrets.shapes import headers

        yield headers(text, low)
    if assigned and ("sess" in low or "cookie" in low or "connect.sid" in low or (auth and "aspxauth" in low)):
        from recollect.text.secrets.shapes import cookies

        yield cookies(text, low)
    if cred or login or (assigned and ("value" in low or 'variable "' in text or "form-data" in low)) or "</" in text:
        from recollect.text.secrets.shapes import pairs

        yield pairs(text, low)
    if (auth or cred or login) and ('("' in text or "('" in text):
        from recollect.text.secrets.shapes import call_pairs

        yield call_pairs(text)


def _places(text: str, low: str, *, colon: bool) -> Iterator[Iterator[tuple[int, int, str]]]:
    if " -" in text:
        from recollect.text.secrets.places import commands

        yield commands(text)
    if (
        "identified" in low
        or (colon and "$" in text and ":$" in text)
        or ("@" in text and ("@tcp(" in text or "@unix(" in text or "sqlplus" in text or "thin:" in text))
        or ("\\" in text and "net use" in text)
        or ("|" in text and "echo " in text)
        or (">" in text and "> AUTH " in text)
    ):
        from recollect.text.secrets.places import command_lines

        yield command_lines(text)
    if colon and _PORT.search(text):
        from recollect.text.secrets.places import pgpass

        yield pgpass(text)
    if ("=" in text and "sig=" in text) or ("'" in text and "define(" in text):
        from recollect.text.secrets.places import loose_links

        yield loose_links(text)


def _merged(spans: list[tuple[int, int, str]]) -> list[Finding]:
    """Overlapping spans become one; the most telling kind names it."""
    spans.sort(key=lambda span: (span[0], -span[1]))
    merged: list[Finding] = []
    for start, end, kind in spans:
        last = merged[-1] if merged else None
        if last and start < last.end:
            merged[-1] = Finding(_more_telling(last.kind, kind), last.start, max(last.end, end))
        else:
            merged.append(Finding(kind, start, end))
    return merged


_VAGUE = (
    "authorization",
    "bearer-token",
    "token",
    "secret",
    "password",
    "api-key",
    "secret-key",
    "basic-auth",
    "url-password",
    "url-token",
)


def _more_telling(first: str, second: str) -> str:
    return second if first in _VAGUE and second not in _VAGUE else first
