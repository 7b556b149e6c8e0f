"""Is this value a secret, a stand-in for one, or just a word? Pure tests on one value, without its name."""

from __future__ import annotations

from recollect.text.patterns import IGNORECASE, lazy

MARKER = "[redacted:"
SAMPLE_KEY = 20  # characters; a stand-in as long as this may end in 123 as nobody's password does

# Words that documentation and tests put where a secret would stand. A value made of nothing else is left alone.
_STAND_IN_WORDS = frozenset(
    "a an and abc access actual add admin any api apikey app auth bar base baz bearer changeit changeme change "
    "char client code correct create credential credentials current db database default demo dev disabled do "
    "dummy edit empty enabled enter env error example expected fake false field foo foobar form from generate "
    "generated get given go good guest hash hashed hello here hidden hint id in incorrect input insert invalid is "
    "it key label literal local localhost login long longer mask masked me missing mock mongo mongodb my mypass "
    "mypassword mysecret mysql mytoken name new nil no none not null number of off ok old on one optional or "
    "owner pass passphrase password passwd placeholder plain please postgres postgresql private prod production "
    "prompt provided put pwd pw random read real redacted redis replace replaceme required reset root sample "
    "secret secrets secure server service set some something staging store str string strong super supersecret "
    "test tester testing text the this to todo tbd token true type undefined unique unset update use user "
    "username valid value var void weak with world wrong write yes you your yourpassword zoo boolean bool int "
    "integer object array bytes list dict map unknown never nullable varchar".split()
)

_REFERENCE = lazy(
    r"(?:phc|pk_live|pk_test)_|pk\.eyj|[-=?+.]?\$[{(]|\.\$|\[\w+\]?$|\[\w+\(|@\w+[.(]|\$[a-z_]\w*$|\$\$|\{\{|\{[a-z_][\w.\[\]'\"!:]*\}|\{\}|<[^>]{1,80}>?$|%[a-z_]+\d{0,2}%$|%\(\w+\)|%[sdrvq]\W{0,2}$"
    r"|#\{|@@?\w+@@?$|!(?:vault|ref|sub|getatt|secret|env|include)\b|enc[\[(]|\[redacted"
    r"|(?:data|file|env|vault|ssm|keyring|op|arn|aws-sm|gcp|ref):|(?:https?|s3|gs|git|ssh|wss?)://|projects/"
    r"|(?:sha\d+|md5)[-:]|&\w+;|ssh-(?:rsa|ed25519|dss) |ecdsa-sha2"
)
_STAND_IN = lazy(
    r"\[redacted|replace[_-]?(?:me|this|with)|(?:^|[^a-z])your(?:[^a-z]|$)"
    r"|your(?:api|secret|token|key|pass)|insert[_-]|x{4}|\*{3}|\.{3}|…|•|_{4}|-{4}|goes[_-]?here|^[a-z]+(?:[_-][a-z]+)*[_-]here$"
    r"|not[_-]a?[_-]?(?:real|secret)|^\([a-z ]+\)$|^n/a$"
)
_MASKED = lazy(r"x{4,}|X{4,}|\*{3,}|[^A-Za-z0-9!@#$%^&*]+")  # what divides a value that masks or words stand in
_VENDOR_SAMPLE = lazy(r"(?:A[A-Z]{3}[A-Z0-9]{9,}|[A-Za-z0-9+/]{30,})EXAMPLE(?:KEY)?\Z")  # as AWS documents its keys
_SAMPLE = lazy(r"example|placeholder|change[_-]?me|redacted|dummy")
_CODE = lazy(
    r"[&*!]{0,2}[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*(?:[(\[{<]|$)"
    r"|\.\.\.|[\[{(<]|[\w.]+[(\[]|=>|@[a-z]+/"
)
_TYPE = lazy(
    r"[&*\[<(]*(?:u?int|float|bytes|[uifvsxp]|u[ul]?id|utf-?|sha(?:3?-)?|md|blake|vec|base|oauth|argon|pbkdf|http/?|ipv|rsa|aes-?|ed|ec"
    r"|pkcs|tlsv?|python|py|es|ns|id|bcrypt|scrypt|hs|rs)\d+[\d.\-]*[a-z]{0,6}\Z",
    IGNORECASE,
)
_REGEX_SOURCE = lazy(
    r"\(\?|\\[dwsSWDb](?![a-z])|\[\^|\[[^\]]{0,40}(?:a-z|A-Z|0-9)|\.\*|\.\+|\{\d+,\d*\}"
    r"|\|(?:string|min|max|confirmed)\b|\bmin:\d|required"
)
_PLAIN_DATA = lazy(
    r"[A-Za-z]:[\\/]|\d{4}-\d\d-\d\d"
    r"|v?\d+(?:\.\d+){1,3}(?:[-+.]?[a-z]+[\d.]*)?\Z|[\d.,:%$€_+\-/]+\Z"  # dates, versions, numbers
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+\Z|[A-Za-z.-]+:\d{1,5}\Z|#[0-9a-fA-F]{3,8}\Z|0x[0-9a-fA-F]{1,8}\Z"
    r"|[\w.-]+\.(?:py|js|ts|json|ya?ml|txt|md|pem|key|crt|env|toml|cfg|ini|go|rs|java|html?|css|sh|sql|xml)\b"
    r"|[\w.-]+\.(?:com|org|io|net|dev)\b"
)
_TURNS = lazy(r"(?<=[a-z])[A-Z0-9]|(?<=[0-9])[A-Za-z]|(?<=[A-Z])[0-9]")
_CONSONANTS = lazy(r"[bcdfghjklmnpqrstvwxz]{6}", IGNORECASE)
_HEX = lazy(r"[0-9a-fA-F]{16,}\Z")
_UUID = lazy(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")
_WORD = lazy(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_HASHED = lazy(
    r"\$(?:2[abxy]?|apr1|argon2\w*|pbkdf2[\w-]*|scrypt|[156y])\$|(?:pbkdf2|bcrypt|argon2)\w*\$|\{(?:SSHA|SHA|MD5|CRYPT)\}"
)
_SENTENCE_WORDS = frozenset(
    "the your a an is are be must should please enter invalid of for to and or in at not with too".split()
)


def is_type(value: str) -> bool:
    """The name of an algorithm or of a type: argon2, uuid4, HS256; `s3cret` is neither."""
    return _TYPE.match(value) is not None and not (value[1:2].isdigit() and value[-1:].isalpha())


def hashed(value: str) -> bool:
    """A password hash in one of the crypt formats."""
    return _HASHED.match(value) is not None


def filler(body: str) -> bool:
    """The body of a vendor token that nobody was ever given: repeated, counted up, or spelled out."""
    low = body.lower()
    return (
        len(set(low)) < 6
        or _counted(low)
        or "example" in low
        or "placeholder" in low
        or "redacted" in low
        or "xxxxx" in low
    )


def _counted(low: str) -> bool:
    codes = [ord(char) for char in low]
    steps = sum(1 for at in range(1, len(codes)) if 0 <= codes[at] - codes[at - 1] <= 1)
    return steps * 5 >= len(low) * 3


def stands_in(value: str) -> bool:
    """A placeholder, a reference, a mask or a word such as `none`: what stands where a secret would."""
    low = value[:200].strip("\"'` ").lower()
    if len(low) < 3 or len(set(low)) <= 2 or _REFERENCE.match(low):
        return True
    if _STAND_IN.search(low):
        return not _holds_more(value)
    if _SAMPLE.search(low):
        return _is_sample(value, low)
    if len(low) > 64:
        return False
    words = _WORD.findall(low)
    if not words:
        return low[0].isascii() and not any(char in "!@#$%^&*" for char in low)
    # Nobody counts up in two cases: such a value is somebody's weak password.
    one_case = value.islower() or value.isupper() or value.isdigit()
    known = all(word in _STAND_IN_WORDS for word in words) or (low.isalpha() and _joined(low))
    return known or (len(low) >= 6 and one_case and _counted(low))


def _holds_more(value: str) -> bool:
    """Is there a password beside the mask or the words? `your-prod-9f8a7b6c5d4e` was somebody's own."""
    pieces = _MASKED.split(value)
    typed = any(char in "!@#$%^&*" for piece in pieces for char in piece)
    return any((typed and any(map(str.isdigit, piece))) or generated(piece) for piece in pieces)


def _is_sample(value: str, low: str) -> bool:
    """A sample as a whole, or a key as AWS documents it; `changeme99` and `ExampleCorp_2024!` are passwords."""
    if _VENDOR_SAMPLE.match(value):
        return True
    words = _WORD.findall(_SAMPLE.sub(" ", low))
    return low.isascii() and all(
        word in _STAND_IN_WORDS or (len(low) >= SAMPLE_KEY and word.isdigit() and _counted(word)) for word in words
    )


def _joined(low: str) -> bool:
    """Two such words written as one: `testpass`."""
    return any(low[:at] in _STAND_IN_WORDS and low[at:] in _STAND_IN_WORDS for at in range(2, len(low) - 2))


def generated(value: str) -> bool:
    """Letters, digits and cases alternate as they do in a generated value and in no name."""
    if len(value) < 8 or _PLAIN_DATA.match(value) or _TYPE.match(value) or _REGEX_SOURCE.search(value):
        return False
    if _UUID.match(value):
        return True
    head = value[:80]
    turns = len(_TURNS.findall(head))
    letters = sum(map(str.isalpha, head))
    digits = sum(map(str.isdigit, head))
    if _HEX.match(value):
        return digits >= 2 and letters >= 2
    marks = sum(head.count(mark) for mark in "!@#$%^&*+=~?")
    if marks >= 3 and letters >= 4 and digits and len(value) >= 12:
        return True
    upper = sum(map(str.isupper, head))
    mixed = letters <= 4 * upper <= 3 * letters
    if digits >= 2 and turns >= 3 and turns * (7 if mixed else 5) >= letters + digits:
        return True
    return letters >= 12 and _scrambled(head, letters, upper)


def _scrambled(head: str, letters: int, upper: int) -> bool:
    """Few or no digits: the cases, the vowels or a heap of consonants must give it away."""
    if letters < 8 or " " in head:
        return False
    if letters <= 4 * upper <= 3 * letters:
        return len(_TURNS.findall(head)) * 7 >= letters
    vowels = sum(head.lower().count(vowel) for vowel in "aeiou")
    marks = len(head) - sum(map(str.isalnum, head))
    return marks <= 2 and letters >= 12 and (vowels * 9 < letters * 2 or bool(_CONSONANTS.search(head)))


def code(value: str) -> bool:
    """An expression rather than a literal: a name, a chain of names, a call, a type."""
    return _CODE.match(value) is not None


def literal_password(value: str, *, firm: bool) -> bool:
    """A password as people write it. `firm` says the place takes literals only (quotes, an env file)."""
    if len(value) < 4 or len(value) > 256 or _REGEX_SOURCE.search(value) or _TYPE.match(value):
        return False
    if any(map(str.isspace, value)):
        return firm and passphrase(value)
    if "/" in value and (not any(map(str.isdigit, value)) or (value.startswith("/") and not generated(value))):
        return False  # a path
    core = value.rstrip(".:?*,;!")
    if core.isalpha():
        exclaimed = len(core) >= 5 and core.islower() and value != core
        return firm and value.isascii() and (exclaimed or _scrambled(core, len(core), sum(map(str.isupper, core))))
    if value.isdigit():
        return firm and len(value) >= 6
    if not any(map(str.isalpha, value)):
        return firm and len(value) >= 8 and any(char in "!@#$%^&*" for char in value)
    if any(map(str.isdigit, value)):
        return not _PLAIN_DATA.match(value)
    words = [word.lower() for word in _WORD.findall(value)]
    if all(char.isalpha() or char in "-_.:/" for char in value):
        return firm and "/" not in value and len(words) >= 4 and not any(word in _STAND_IN_WORDS for word in words)
    return firm or any(char in "!@#$%^&*+=~" for char in value[1:-1])


def spaced_password(value: str) -> bool:
    """Words with spaces between them that are no sentence: one of them mixes letters with digits or marks."""
    words = value.split()
    if (
        not 2 <= len(words) <= 8
        or len(value) > 64
        or "/" in value
        or "{" in value
        or any(word.strip(".,:;!?").lower() in _SENTENCE_WORDS - {"is"} for word in words)
    ):
        return False
    return any(
        any(map(str.isdigit, word))
        and (any(map(str.isalpha, word)) or word[-1] in "!@#$%^&*")
        and not _TYPE.match(word)
        for word in words
    )


def strict_password(value: str) -> bool:
    """A password that shows itself: for places where most words that follow are not passwords."""
    if len(value) < 6 or not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)):
        return False
    if _PLAIN_DATA.match(value) or _TYPE.match(value) or "/" in value or "(" in value or "://" in value:
        return False
    special = any(char in "!@#$%^&*+=~?" for char in value)
    mixed = any(map(str.isupper, value)) and any(map(str.islower, value))
    return special or (mixed and len(value) >= 8) or generated(value)


def passphrase(value: str, *, named: bool = False) -> bool:
    """Four or more plain words, not a sentence unless a constant holds it; or a Google app password's four groups."""
    words = value.split(" ")
    if len(words) < 4 or len(words) > 12 or not all(word.isalpha() and word.islower() for word in words):
        return False
    if any((word in _SENTENCE_WORDS and not named) or "pass" in word or word == "secret" for word in words):
        return False
    return sum(word in _STAND_IN_WORDS - _SENTENCE_WORDS for word in words) <= 1
