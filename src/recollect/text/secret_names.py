"""Which names hold a secret, and where the value of such a name stands in text."""

from __future__ import annotations

import re

from recollect.text.patterns import lazy
from recollect.text.secret_values import (
    MARKER,
    code,
    generated,
    hashed,
    literal_password,
    passphrase,
    stands_in,
    strict_password,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int, str]
Found = tuple[int, int, str]

PASSWORD, SECRET, TOKEN, KEY, AUTH = "password", "secret", "token", "key", "auth"

_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "passwort", "pwd")
_COMPOUND_KEYS = frozenset(
    "apikey accesskey secretkey privatekey authkey masterkey signingkey encryptionkey accountkey licensekey "
    "storagekey sharedkey sharedaccesskey presharedkey appkey secretaccesskey serverkey deploykey webhookkey "
    "hmackey".split()
)
_KEY_QUALIFIERS = frozenset(
    "api secret access private signing signature encryption encrypt cipher crypto crypt master auth account "
    "shared storage service role server admin session cookie hmac jwt license app application deploy client "
    "consumer subscription webhook ssh aes token security root ingest write integration preshared psk wg host in "
    "nonce live prod rest management personal user vault backup kms des rsa recovery functions function maps "
    "search secure sdk internal global apim".split()
)
_PASS_QUALIFIERS = frozenset(
    "db database user usr smtp mail email ftp sftp root admin mysql pg postgres redis mongo mongodb ldap bind "
    "proxy host login http https basic auth vpn wifi keystore truststore ks ts key store sudo ssh rabbitmq amqp "
    "es elastic jenkins docker registry my sql oracle app service account imap pop jdbc default master repl "
    "replication client cert ssl tls sa api grafana nexus sonar artifactory wp wordpress kafka zk neo4j couchdb "
    "influx minio".split()
)
_TOKEN_NOT_AFTER = frozenset(
    "next page prev previous continuation pagination eos bos pad unk mask sep cls stop start end special sync max "
    "min num per total first last cancellation cancel current lookahead input output prompt completion cached "
    "image audio text reasoning design string operator separator peek consume expected resume cursor scroll".split()
)
_SUFFIXES = frozenset(
    "base value base64 b64 prod production dev development staging stage test testing live sandbox old new prev "
    "previous current primary secondary data string str plain plaintext raw default env backup main eu us local "
    "ci hash encoded decoded digest crypt bcrypt master readonly rw ro internal external clear cleartext text var "
    "literal".split()
)
_VENDORS = {
    name: name
    for name in (
        "algolia amplitude asana auth0 aws azure bitbucket bitly box brevo cloudflare cloudinary codecov cohere "
        "coinbase confluent contentful coveralls databricks datadog deepgram deepseek digitalocean discord docker "
        "dropbox elastic elevenlabs fastly figma firebase fireworks fullstory gcp gemini giphy github gitlab "
        "google grafana groq heroku honeycomb hubspot infura intercom jenkins jira kraken linear linode mailchimp "
        "mailgun mapbox messagebird mistral mixpanel mongodb neon netlify newrelic ngrok notion npm nvidia okta "
        "openai openweather pagerduty paypal pinecone plaid planetscale postmark pusher rapidapi razorpay redis "
        "replicate resend rollbar salesforce sendgrid sentry shodan shopify slack snowflake snyk sonar splunk "
        "square stability statuspage stripe supabase tavily telegram tiingo together travis trello twilio twitch "
        "twitter typeform upstash vault vercel vonage vultr wandb weatherstack xai youtube zendesk zoom anthropic "
        "openrouter perplexity huggingface langsmith alchemy etherscan bugsnag logdna loggly papertrail circleci "
        "buildkite segment sumologic harness ably onfido plivo sinch telnyx klaviyo iterable customerio braze "
        "launchdarkly optimizely split flagsmith posthog logzio scaleway hetzner ovh equinix kaggle assemblyai "
        "voyage jina exa serper serpapi brave bing censys virustotal abuseipdb ipinfo maxmind mapquest here "
        "tomtom nasa spotify lastfm tmdb omdb unsplash pexels pixabay"
    ).split()
} | {
    "dd": "datadog",
    "cf": "cloudflare",
    "hf": "huggingface",
    "gh": "github",
    "ado": "azure-devops",
    "relic": "newrelic",
    "do": "digitalocean",
}

_SPLIT = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_NAME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_ASSIGN = lazy(
    # Each word is entered at its rarest letter, which makes the scan three times faster.
    r"(?:k(?:ey|(?<=tok)en|(?<=psk))|w(?:(?<=passw)|(?<=pw)d|(?<=pw)(?![a-z]))|c(?:(?<=sec)ret|red)|u(?<=au)th"
    r"|p(?:ass(?!w)|at(?<=[_-]pat)(?![a-z])))[a-z0-9_.\-]{0,48}+"
    r"[\"'`\]\\)*?]{0,6}+"
    r"(?:[ \t]{0,40}+(?P<sep>=>|:=|\?=|={1,3}|!={1,2}|::?|>|,|\(|\|\||\?\?)"
    r"|[ \t]+(?P<verb>is|was|to|of|be|are)(?=[ \t:])|[ \t]*(?:\||[-–—])?(?=[ \t]))"
    r"[ \t*:]{0,40}+"
)
_ANNOTATION = lazy(r"[A-Za-z_][\w.\[\], |?]{0,40}?[ \t]*=[ \t]*(?=[fFrRbBuU]?[\"'])")
_BLOCK = lazy(r"[|>][-+]?[ \t]*\n[ \t]+")
_OPEN = lazy(r"[fFrRbBuUL@$]{0,2}(?P<escape>\\{0,7})(?P<quote>\"\"\"|'''|[\"'`])")
_INSIDE = {quote: lazy(rf"(?:[^{quote}\\\r\n]|\\.)*+") for quote in "\"'`"}
# What stands here when the quote closed a string instead of opening one: `"password=" + word`.
_CLOSED = lazy(r"[ \n]|[,);}\]](?:[ ,;)\n]|$)")
_JOINED = lazy(r"\+\s*[A-Za-z_][A-Za-z_.()\[\]]*\s*\+\Z")  # what stands between two quoted texts in code
_BARE = lazy(r"[^\s\"'`<>\\]{1,1024}+")
_PROSE_GAP = lazy(r"(?:for|of|to|on|in|at|from)[ \t](?:[\w.'@/-]{1,24}[ \t]){1,6}?(?:is|was|=|:)[ \t:]{1,4}")
_FIELD = lazy(r"([?&;])[ ]?[\w. %-]*=\Z")
_SET_TO = lazy(r"\b(?:[Ss]et|[Cc]hanged?|[Rr]eset|[Uu]pdated?)\b[^.\n]{0,40}\Z")
_classes: dict[str, tuple[str, str] | None] = {}


def classify(name: str, before: str = "") -> tuple[str, str] | None:
    """(kind, class) of a name that holds a secret, or None. `before` is the word in front of it in prose."""
    cache_key = f"{before} {name}"
    if cache_key not in _classes:
        if len(_classes) > 4096:
            _classes.clear()
        _classes[cache_key] = _classify(name, before)
    return _classes[cache_key]


def _classify(name: str, before: str) -> tuple[str, str] | None:
    words = [word.lower() for word in _SPLIT.findall(f"{before} {name}")][-12:]
    tail = len(words)
    while tail > 1 and (words[tail - 1] in _SUFFIXES or words[tail - 1].isdigit()):
        tail -= 1
    words, suffix = words[:tail], words[tail:]
    if not words:
        return None
    what = _noun(words[-1], words[:-1], name)
    if what is None or ("hash" in suffix and what != PASSWORD):
        return None
    vendor = next((_VENDORS[word] for word in words[:-1] if word in _VENDORS), "")
    label = {KEY: "api-key" if "api" in "".join(words) else "secret-key", AUTH: "basic-auth"}.get(what, what)
    return (f"{vendor}-{label}" if vendor else label), what


def _noun(last: str, earlier: list[str], name: str) -> str | None:
    previous = earlier[-1] if earlier else ""
    if last.endswith(_PASSWORDS) or last == "psk":
        return PASSWORD
    if last in ("pass", "pw"):
        return PASSWORD if previous in _PASS_QUALIFIERS or name.lower() in ("pass", "pw") else None
    if last.endswith("pass") and last[:-4] in _PASS_QUALIFIERS:
        return PASSWORD
    if last.endswith("secret"):
        return SECRET
    if last.endswith("token"):
        return None if previous in _TOKEN_NOT_AFTER else TOKEN
    if last == "key":
        return KEY if previous in _KEY_QUALIFIERS or previous in _VENDORS else None
    if last in _COMPOUND_KEYS:
        return KEY
    if last in ("auth", "credential", "credentials", "creds"):
        return AUTH
    if last == "pat":
        return TOKEN if name.isupper() or previous in _VENDORS else None
    return None


def secret_kind(name: str, value: str, *, form: str, before: str = "") -> str | None:
    """The kind of secret that `value` is under this name, or None. `form` says how the value was written."""
    found = classify(name, before)
    if found is None:
        return None
    kind, what = found
    if what == PASSWORD:
        return kind if _is_password(value, form, name) else None
    if len(value) < 8 or len(value) > 4096 or stands_in(value) or any(map(str.isspace, value)):
        return None
    if form in ("plain", "weak", "prose") and code(value) and not generated(value):
        return None
    if what == AUTH:
        return kind if basic_pair(value) or (generated(value) and len(value) >= 20) else None
    short = len(value) < (10 if what == TOKEN else 8)
    return kind if not short and (generated(value) or _looks_typed(what, value, form)) else None


def _looks_typed(what: str, value: str, form: str) -> bool:
    """A secret somebody made up: letters, digits and marks such as no name has."""
    return (
        what != TOKEN and form in ("quoted", "env") and strict_password(value) and any(c in "!@#$%^&*" for c in value)
    )


def _is_password(value: str, form: str, name: str) -> bool:
    if hashed(value):
        return True
    if "hash" in name.lower() or stands_in(value):
        return False
    if form in ("quoted", "flag"):
        return literal_password(value, firm=True) or ("phrase" in name.lower() and passphrase(value))
    if form == "env":
        return literal_password(value, firm=True) or (value.isalpha() and len(value) >= 6 and value.isascii())
    if form == "weak":
        return strict_password(value) and not code_name(value)
    if code(value) and (code_name(value) or not value.isalnum() or not any(map(str.isdigit, value))):
        return generated(value)
    return literal_password(value, firm=False) and (
        form != "prose" or any(map(str.isdigit, value)) or not value.isalpha()
    )


def code_name(value: str) -> bool:
    """An identifier that speaks of secrets itself, as `new_password1` does: a variable."""
    low = value.lower()
    return value.isidentifier() and any(word in low for word in ("pass", "pwd", "token", "secret", "key", "user"))


def basic_pair(value: str) -> bool:
    """Base64 of `user:password` with a password that is not a stand-in."""
    from binascii import Error, a2b_base64

    try:
        user, colon, password = a2b_base64(value + "=" * (-len(value) % 4)).decode().partition(":")
    except (Error, ValueError):
        return False
    return bool(colon) and user.isprintable() and password.isprintable() and not stands_in(password)


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
        before = _word_before(text, start) if len(name) < 16 else ""
        if classify(name, before) is None or text.startswith("::", start - 2):
            continue
        span = _value_span(text, match, name, start)
        if span is None:
            continue
        begin, end, form = span
        kind = secret_kind(name, text[begin:end], form=form, before=before)
        if kind is not None:
            yield begin, end, kind
        # A name may stand inside a value that was refused, but a long one is not read again from every name in it.
        done = end if kind else begin + 64 if end - begin > 200 else 0


def _word_before(text: str, start: int) -> str:
    head = text[max(0, start - 24) : start]
    if head[-1:] != " ":
        return ""
    return head[len(head[:-1].rstrip(_NAME_CHARS)) : -1]


def _value_span(text: str, match: re.Match[str], name: str, start: int) -> Found | None:
    """Where the value stands and how it is written: quoted, env, plain, prose or weak."""
    sep, at = match["sep"], match.end()
    if sep not in ("=", ":", "=>") and name.lower() in ("pass", "pw"):
        return None
    if sep == ":":
        typed = _ANNOTATION.match(text, at) or _BLOCK.match(text, at)
        at = typed.end() if typed else at
    if sep is None and not match["verb"] and (gap := _PROSE_GAP.match(text, at)):
        return (
            _bare_span(text, gap.end(), "prose") if not _OPEN.match(text, gap.end()) else quoted_span(text, gap.end())
        )
    span = quoted_span(text, at)
    if span is not None:
        return _as_argument(text, span, sep, name, start) if sep in ("(", ",") else span
    if sep in (",", "(", "||", "??", "==", "===", "!=", "!==") or (sep == ">" and not _tag(text, match, start)):
        return None
    return _bare_span(text, at, _form(text, sep, match["verb"], name, start, at))


def _as_argument(text: str, span: Found, sep: str, name: str, start: int) -> Found | None:
    """`set("DB_PASSWORD", "x")` and `setPassword("x")` name their value; `f("password", "x")` may."""
    if sep == "," and text[start - 1 : start] not in ("'", '"', "`"):
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
    if tight and (name.isupper() or ahead in (";", "&", "?")):
        return "env"
    if sep == ">":
        return "quoted"
    if name.startswith("-") and sep in (None, "="):
        return "plain" if sep else "flag"
    if verb:
        told = verb in ("is", "was") or _SET_TO.search(text, max(0, start - 48), start)
        return "prose" if told else "weak"
    if sep is None and re.search(r"(?:login|machine|user)[ \t]+\S+\s+\Z", text[max(0, start - 80) : start]):
        return "plain"
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
    elif ")" in value and "(" not in value:
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
