"""Secrets known by a fixed word near them: command lines, webhooks, signed links, keys under a set name."""

from __future__ import annotations

from recollect.text.patterns import compiled, lazy
from recollect.text.secrets.values import MARKER, filler, stands_in, strict_password

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int, str]

_VALUE = r"[\"']?([^\s\"']{3,256})"
_ARGUMENTS = r"[^\n|;]{0,200}?\s"

# A word of the command, and the pattern whose group is the password; both are sought on one line.
_COMMANDS = (
    (
        "curl",
        r"\s(?:-u|--user|--proxy-user|-U)[ =]{0,3}[\"']?[^\s:\"']{0,80}[\"']?:[\"']?\{?"
        r"([^\s\"'{}$\[<][^\s\"'{}]{2,128})",
    ),
    ("curl", r"\s(?:-u|--user)[ =]{0,3}[\"']?((?=[^\s:\"']*\d)[^\s:\"'$]{12,128}):[\"']?(?:\s|$)"),
    ("http", r"\bhttps? (?:[^\n]{0,80} )?-a [\"']?[^\s:\"']{1,80}:([^\s\"']{3,128})"),
    ("mysql", r"\bmysql\w*" + _ARGUMENTS + r"-p[\"']?([^\s\"'-][^\s\"']{2,128})"),
    ("mariadb", r"\bmariadb\w*" + _ARGUMENTS + r"-p[\"']?([^\s\"'-][^\s\"']{2,128})"),
    ("sshpass", r"\bsshpass\s+-p\s?" + _VALUE),
    ("redis-cli", r"\bredis-cli" + _ARGUMENTS + r"(?:-a|--pass)[ =]" + _VALUE),
    ("ldap", r"\bldap\w+" + _ARGUMENTS + r"-w[ =]?" + _VALUE),
    (" login", r"\b(?:docker|az|registry|podman|oc|skopeo|nerdctl|cf) login" + _ARGUMENTS + r"-p[ =]?" + _VALUE),
    ("pass:", r"-pass(?:in|out)?[ =]pass:([^\s\"']{3,128})"),
    ("sqlcmd", r"\bsqlcmd" + _ARGUMENTS + r"-P[ =]?" + _VALUE),
    ("mongo", r"\bmongo\w*" + _ARGUMENTS + r"-p[ =]" + _VALUE),
    ("htpasswd", r"\bhtpasswd\s+-\w*b\w*\s+(?:-\w+\s+)*\S+\s+\S+\s+" + _VALUE),
    ("7z", r"(?<![.\w-])7z\w?\s" + _ARGUMENTS + r"-p[\"']?([^\s\"'-][^\s\"']{3,128})"),
    ("zip", r"(?<![.\w-])(?:un)?zip\s" + _ARGUMENTS + r"-P\s+" + _VALUE),
    ("rar", r"(?<![.\w-])(?:un)?rar\s" + _ARGUMENTS + r"-h?p([^\s\"'-][^\s\"']{3,128})"),
    ("ipmitool", r"\bipmitool" + _ARGUMENTS + r"-P\s+" + _VALUE),
    ("snmp", r"\bsnmp\w+" + _ARGUMENTS + r"-A\s+" + _VALUE),
    ("snmp", r"\bsnmp\w+" + _ARGUMENTS + r"-X\s+" + _VALUE),
    ("lftp", r"\blftp" + _ARGUMENTS + r"-u\s+[^\s,]{1,64},([^\s\"',]{3,128})"),
    ("openssl", r"\bopenssl enc" + _ARGUMENTS + r"-k\s+" + _VALUE),
    ("secret set", r"\bsecret set" + _ARGUMENTS + r"--(?:value|body)[ =]" + _VALUE),
    ("put-parameter", r"\bput-parameter(?=[^\n]{0,300}SecureString)" + _ARGUMENTS + r"--value[ =]" + _VALUE),
    ("SecureString", r"ConvertTo-SecureString\s+(?:-String\s+)?[\"']([^\"'\n]{3,128})[\"']"),
    ("%", r"\s-U\s?[\"']?[\w.\\/-]+%([^\s\"'%]{3,128})"),
)
_OPTION = lazy(r" -(?:[upawPUb]|-user|-pass|-proxy-user|-value|-body|hp|As|S)")
# Of any command, when the value shows itself to be a password.
_USER_AND_PASSWORD = lazy(
    r"\s-[uU][ =]?[^\s:-][^\s:]{0,64}\s+-[pP][ =]?[\"']?([^\s\"'{/-][^\s\"']{5,128})"
    r"|\s(?:-u|--user)[ =][\"']?[^\s:\"'@]{1,80}:([^\s\"'/\\]{6,128})"
)

# A secret that is written into the standard input of a command which takes one.
_STDIN = (
    r"\becho\s+(?:-n\s+)?[\"']?([^\s\"'$|]{6,256})[\"']?\s+\|\s+(?:sudo -S|(?:sudo )?passwd --stdin|lpass login"
    r"|(?:docker|podman|helm registry) login|(?:npx )?wrangler secret|vercel env add|gcloud secrets"
    r"|gh (?:auth|secret))\b"
)

# The same, for lines without an option.
_LINES = (
    ("chpasswd", r"echo\s+[\"']?[\w.-]+:([^\s\"']{3,128})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd"),
    ("dentified by", r"dentified\s+by\s+[\"']([^\s\"']{3,128})"),
    ("dentified by", r"dentified\s+by\s+((?=[^\s;\"']*\d)[^\s;\"']{5,64})\s*;"),
    ("IDENTIFIED", r"IDENTIFIED\s+BY\s+((?=[^\s;\"']*\d)[^\s;\"']{5,64})\s*(?:;|$)"),
    ("IDENTIFIED", r"IDENTIFIED\s+(?:WITH\s+\w+\s+)?BY\s+[\"']([^\s\"']{3,128})"),
    ("@tcp(", r"(?<![\w.-])[\w.$-]{1,64}:([^\s@/\"'`:]{3,128})@tcp\("),
    ("@unix(", r"(?<![\w.-])[\w.$-]{1,64}:([^\s@/\"'`:]{3,128})@unix\("),
    (" | ", _STDIN),
    ("> AUTH ", r"(?m)> AUTH (?:\S+ )?(\S{6,128})\s*$"),
    ("net use", r"\bnet use [^\n]{0,120}/user:\S+\s+" + _VALUE),
    (":$", r"(?m)^[\w.@-]{1,64}:(\$(?:apr1|2[abxy]|[156y])\$[A-Za-z0-9./$=,]{20,200})(?::|\s|$)"),
    ("thin:", r"thin:[\w$]{1,40}/([^\s@/\"']{3,64})@"),
    ("sqlplus", r"sqlplus (?:-\w+ )?[\w$]{1,40}/([^\s@/\"']{3,64})@"),
)

# host:port:database:user:password, as in ~/.pgpass.
PGPASS = compiled(r":(\d{4,5}|\*):[\w.*-]{1,63}:[\w.*-]{1,63}:([^\s\"'`,;()<>|]{3,128})")
_PGPASS_HOST = lazy(r"(?<![\w.*/-])[\w.*-]{1,253}\Z")
_PGPASS_PORTS = ("5432", "5433", "6432", "*")

# kind, a word that must be there, the pattern whose group is the secret.
_LINKS = (
    ("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/+-]{20,120})"),
    ("discord-webhook", "/api/webhooks/", r"/api/webhooks/(\d{15,21}/[A-Za-z0-9_-]{50,90})"),
    ("teams-webhook", "webhook.office.com/", r"webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{60,220})"),
    ("signed-url", "-Signature=", r"X-(?:Amz|Goog)-Signature=([0-9a-fA-F]{40,1024})"),
    ("aws-session-token", "X-Amz-Security-Token=", r"X-Amz-Security-Token=([A-Za-z0-9%+/=_-]{40,4096})"),
    ("signed-url", "&Signature=", r"&Signature=([A-Za-z0-9%+/=_~-]{40,1024})"),
    ("otp-secret", "otpauth://", r"otpauth://[^\s\"']{0,200}?[?&]secret=([A-Z2-7a-z]{10,128})"),
    ("azure-devops-token", "dev.azure.com", r"(?<![A-Za-z0-9])([a-z2-7]{52})(?![A-Za-z0-9])"),
    ("laravel-key", "base64:", r"(?:APP_KEY|app_key|'key')\W{1,6}(base64:[A-Za-z0-9+/]{40,88}={0,2})"),
    ("wireguard-key", "PrivateKey", r"PrivateKey\s{0,4}=\s{0,4}([A-Za-z0-9+/]{43}=)"),
    ("wireguard-key", "PresharedKey", r"PresharedKey\s{0,4}=\s{0,4}([A-Za-z0-9+/]{43}=)"),
    ("kubernetes-key", "-key-data", r"client-key-data[\"']?:\s{0,4}[\"']?([A-Za-z0-9+/]{40,}={0,2})"),
    (
        "private-key",  # the same key block, in base64 once more
        "LS0tLS1CRUdJTi",
        r"(LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:UFJJVkFURSBLRVkt|QUklWQVRFIEtFW|BSSVZBVEUgS0VZ)[A-Za-z0-9+/=]{16,})",
    ),
    ("gitlab-mail-token", "incoming+", r"incoming\+[\w.-]{1,80}?-((?:glimt-)?[a-z0-9]{20,32})(?:-issue)?@"),
    ("minio-key", "mc alias set ", r"mc alias set\s+\S+\s+\S+\s+\S+\s+([A-Za-z0-9/+_-]{8,128})"),
)

# These need no long run of token characters near them.
LINK_WORDS = tuple(word for _, word, _ in _LINKS)
_LOOSE_LINKS = (
    ("azure-sas", "sig=", r"[?&;]sig=([A-Za-z0-9%+/=_-]{20,200})"),
    ("wordpress-salt", "_SALT", r"(?:AUTH|LOGGED_IN|NONCE)_SALT['\"],\s{0,20}['\"]([^'\n]{40,100})['\"]"),
    ("wordpress-key", "_KEY'", r"(?:AUTH|LOGGED_IN|NONCE)_KEY',\s{0,20}'([^'\n]{40,100})'"),
)


def commands(text: str) -> Iterator[Span]:
    """Passwords among the options of a command, line by line."""
    done = 0
    for option in _OPTION.finditer(text):
        if option.start() < done:
            continue
        start, done = _line_around(text, option.start())
        line = text[start:done]
        for word, pattern in _COMMANDS:
            if word in line:
                yield from _passwords(text, pattern, start, done)
        named = " -u" in line or " -U" in line or " --user" in line
        for match in _USER_AND_PASSWORD.finditer(text, start, done) if named else ():
            group = match.lastindex or 1
            value = match.group(group)
            if MARKER not in value and not stands_in(value) and strict_password(value):
                yield match.start(group), match.end(group), "password"


def command_lines(text: str) -> Iterator[Span]:
    """Passwords in other one-line forms."""
    for word, pattern in _LINES:
        if word in text:
            yield from _passwords(text, pattern, 0, len(text))


def pgpass(text: str) -> Iterator[Span]:
    """The last field of a line of a PostgreSQL password file, wherever on a line it stands."""
    for match in PGPASS.finditer(text):
        value = match[2].rstrip(".")
        known = match[1] in _PGPASS_PORTS
        if not _PGPASS_HOST.search(text, max(0, match.start() - 254), match.start()):
            continue
        if MARKER not in value and not stands_in(value) and (known or strict_password(value)):
            yield match.start(2), match.start(2) + len(value), "password"


def _passwords(text: str, pattern: str, start: int, end: int) -> Iterator[Span]:
    for match in compiled(pattern).finditer(text, start, end):
        if MARKER not in match.group(1) and not stands_in(match.group(1)):
            yield match.start(1), match.end(1), "password"


def _line_around(text: str, at: int) -> tuple[int, int]:
    """The command around this place: its line, with those that a backslash joins to it."""
    floor, ceiling = max(0, at - 400), min(len(text), at + 600)
    start, end = text.rfind("\n", floor, at), text.find("\n", at, ceiling)
    while start > floor and text[start - 1] == "\\":
        start = text.rfind("\n", floor, start - 1)
    while end >= 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1, ceiling)
    return (start + 1 if start >= 0 else floor), (end if end >= 0 else ceiling)


def links(text: str, near: str) -> Iterator[Span]:
    """Links and files that carry their own secret. `near` is what stands around the long runs of the text."""
    for kind, word, pattern in _LINKS:
        if word in near:
            yield from _linked(text, kind, pattern)


def loose_links(text: str) -> Iterator[Span]:
    """The same where the secret need not be one long run."""
    for kind, word, pattern in _LOOSE_LINKS:
        if word in text:
            yield from _linked(text, kind, pattern)


def _linked(text: str, kind: str, pattern: str) -> Iterator[Span]:
    for match in compiled(pattern).finditer(text):
        value = match.group(1)
        if MARKER not in value and not filler(value) and "put your unique" not in value:
            yield match.start(1), match.end(1), kind
