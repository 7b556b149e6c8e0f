"""Secrets that are told in words: passwords named in other languages, and the words that open a wallet."""

from __future__ import annotations

from recollect.text.patterns import lazy
from recollect.text.secrets.values import MARKER, stands_in, strict_password

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

Span = tuple[int, int, str]

# Each name is entered at a letter that plain English has not, so that other text is skipped fast.
_SAID = (
    '[*`"]{0,2}[ \\t]{0,4}(?:[:：=＝]|(?:lautet|ist|war|est|es|é|jest|is|это)(?=[ :])|是|为|為|は|은|는)'
    "[ \\t:*]{0,4}[\"'`「『“„«]{0,2}[ ]?([!-~]{4,128})"
)
_NAMED_PLAINLY = lazy("(?:mot de passe|passwort|kennwort|wachtwoord|senha)" + _SAID)
_NAMED = lazy(
    "(?:ñ(?<=contraseñ)a|ł(?<=hasł)o|ö(?<=lö)senord|пароль|パスワード|暗証番号|密码|密碼|口令|秘钥|密钥|비밀번호|암호)"
    + _SAID
)
_PHRASE = lazy(
    "(?:mnemonic|seed|recovery|secret|wallet)[ _-]?(?:phrase|words|mnemonic)?[\"'`]?[ \\t]{0,4}[:=][ \\t]{0,4}[\"'`]?"
    "((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z ])"
)
_SENTENCE = frozenset("the and for you are with this that from not your must will have should when".split())


def told(text: str, low: str) -> Iterator[Span]:
    """Spans of passwords and phrases under such a name."""
    if not text.isascii():
        yield from _passwords(text, _NAMED, low)
    if "mnemonic" in low or "phrase" in low:
        yield from _phrases(low)


def told_plainly(text: str, low: str) -> Iterator[Span]:
    """The same for languages that use plain letters."""
    yield from _passwords(text, _NAMED_PLAINLY, low)


def _passwords(text: str, pattern: re.Pattern[str], low: str) -> Iterator[Span]:
    for match in pattern.finditer(low):
        value = text[match.start(1) : match.end(1)].rstrip("\"'`.,;:)]}>")
        if MARKER not in value and not stands_in(value) and (strict_password(value) or _marked(value)):
            yield match.start(1), match.start(1) + len(value), "password"


def _phrases(low: str) -> Iterator[Span]:
    for match in _PHRASE.finditer(low):
        words = match.group(1).split()
        if len(words) % 3 == 0 and _SENTENCE.isdisjoint(words):
            yield match.start(1), match.end(1), "seed-phrase"


def _marked(value: str) -> bool:
    """Letters and digits, and a hyphen or the like between them."""
    return len(value) >= 8 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and "/" not in value
