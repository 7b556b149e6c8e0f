"""Values known by what stands right before them: an address, a field of a query, a word of a command."""

from __future__ import annotations

from recollect.text.patterns import compiled
from recollect.text.secrets.values import filler

Span = tuple[int, int, str]

_HEX32, _HEX40, _UUID = "[0-9a-f]{32}", "[0-9a-f]{40}", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_FREE = "(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]"

# kind, what stands before the value (its last four characters are looked up), and the value.
_RULES = (
    ("infura-key", ("/v3/",), r"infura\.io/(?:ws/)?v3/", _HEX32),
    ("alchemy-key", ("/v2/",), r"alchemy(?:api)?\.(?:com|io)/v2/", "[A-Za-z0-9_-]{32}"),
    ("quicknode-key", ("pro/",), r"quiknode\.pro/", _HEX40),
    ("ifttt-key", ("key/",), r"maker\.ifttt\.com/[^\s\"']{0,100}/with/key/", "[A-Za-z0-9_-]{20,64}"),
    ("lark-webhook", ("ook/",), r"/bot/v2/hook/", _UUID),
    ("datadog-key", ("put/",), r"datadoghq\.(?:com|eu)/v1/input/", _HEX32),
    ("loggly-token", ("uts/",), r"loggly\.com/(?:inputs|bulk)/", _UUID),
    ("victorops-key", ("ert/",), r"alert\.victorops\.com/[^\s\"']{0,80}/alert/", _UUID),
    ("sumologic-token", ("ttp/",), r"sumologic\.com/receiver/v1/http/", "[A-Za-z0-9+/_-]{40,200}={0,2}"),
    ("mattermost-webhook", ("oks/",), r"://[^\s/\"']{3,80}/hooks/", "(?=[a-z]*[0-9])[a-z0-9]{26}"),
    ("confluent-secret", ("nfo=",), r"auth\.user\.info=", "[A-Z0-9]{16}:[A-Za-z0-9+/]{60,64}"),
    ("google-auth-code", ("e=4/",), r"\bcode=4/", "0A[A-Za-z0-9_-]{40,120}"),
    ("query-key", ("key=",), r"[?&]key=", _FREE + "{24,80}(?![%./])"),
    ("query-key", ("pid=",), r"[?&]appid=", _HEX32),
    ("login-code", ("ode=",), r"[?&]code=", "(?=[A-Za-z_./-]*[0-9])[A-Za-z0-9_./~%-]{24,1500}={0,2}"),
    ("endor-key", ("ndr+",), r"\bendr\+", "[A-Za-z0-9]{16}"),
    ("honeycomb-key", ("am: ", "eam="), r"honeycomb-team(?:: |=)", "[A-Za-z0-9]{22,40}"),
    ("sonar-token", ("gin=",), r"sonar\.login=", "[A-Za-z0-9_]{20,60}"),
    ("wandb-key", ("gin ",), r"\bwandb login ", "[A-Za-z0-9_]{40,100}"),
    ("snyk-token", ("uth ",), r"\bsnyk auth ", _UUID),
    ("shodan-key", ("nit ",), r"\bshodan init ", "[A-Za-z0-9]{32}"),
    ("twitch-token", ("uth:",), r"\boauth:", "(?=[a-z]*[0-9])[a-z0-9]{30}"),
    ("amazon-login-token", ("tza|", "tzr|"), r"\bAtz[ar]\|", "[A-Za-z0-9+/=_-]{60,2000}"),
    ("roblox-cookie", ("ms.|",), r"WARNING:-DO-NOT-SHARE-THIS[^|]{0,120}\|", "_[0-9A-F]{60,2000}"),
    (
        "kaggle-key",
        ('": "', 'y":"'),
        r"\"username\" ?: ?\"[^\"\n]{1,80}\",\s{0,8}\"key\" ?: ?\"",
        _HEX32 + '(?=")',
    ),
    (
        "private-key",  # a JSON Web Key
        ('": "', 'd":"', 'k":"', 'p":"', 'q":"', 'i":"'),
        r"\"(?:d|p|q|dp|dq|qi|k)\" ?: ?\"",
        '[A-Za-z0-9_-]{20,2000}(?=")',
    ),
)


def _by_tail() -> dict[str, list[tuple[str, str, str]]]:
    tails: dict[str, list[tuple[str, str, str]]] = {}
    for kind, ends, head, body in _RULES:
        for end in ends:
            tails.setdefault(end, []).append((kind, head, body))
    return tails


TAILS = _by_tail()
# Rules that hang on a word and a space: such a word is not read apart from its neighbours.
SPACED = ("wandb", "snyk", "shodan")


def behind(text: str, start: int) -> Span | None:
    """The value that starts here, when the words before it say what it is."""
    for kind, head, body in TAILS[text[start - 4 : start]]:
        value = compiled(f"(?:{body})(?![A-Za-z0-9_-])").match(text, start)
        if (
            not value
            or filler(value.group())
            or not compiled(f"(?:{head})\\Z").search(text, max(0, start - 160), start)
        ):
            continue
        if kind != "private-key" or '"kty"' in text:
            return start, value.end(), kind
    return None
