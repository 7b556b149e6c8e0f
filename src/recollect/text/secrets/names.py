"""Which names hold a secret, and whether the value under such a name is one."""

from __future__ import annotations

from recollect.text.patterns import lazy
from recollect.text.secrets.values import (
    code,
    generated,
    hashed,
    literal_password,
    passphrase,
    spaced_password,
    stands_in,
    strict_password,
)

PASSWORD, SECRET, TOKEN, KEY, AUTH = "password", "secret", "token", "key", "auth"
LIKELY_PASSWORD, LIKELY_KEY = "likely password", "likely key"  # the name alone does not tell, the value must

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
    "search secure sdk internal global apim fernet unseal ingestion validation decryption authorization".split()
)
# Keys that tell things apart instead of opening something.
_KEY_NOT_AFTER = frozenset(
    "public pub publishable cache primary foreign partition sort row object idempotency dedupe dedup deduplication "
    "hash index map group routing lock event message msg lookup join natural unique composite surrogate candidate "
    "range shard "
    "gpg pgp file path translation locale label item entry record field column config setting settings feature flag "
    "option metric tag attribute attr prop property dict json meta registry state query param hot short modifier "
    "arrow enter escape shift ctrl control left right up down delete tab home end media product version context "
    "trace span request correlation test dns domain site zone known verify verification verifying peer node wallet "
    "address fingerprint issue project ticket trusted authorized image asset s3 bucket prefix redis build".split()
)
# What a secret of somebody's own making guards; a plain `secret` may be the name of one.
_TYPED_SECRETS = frozenset(
    "jwt session cookie client app auth nextauth hash webhook api signing flask express admin".split()
)
_SALTS = frozenset("hash token app signing session cookie secret".split())  # of a whole application, not of one hash
_SPEAKS_OF_SECRETS = ("pass", "pwd", "token", "secret", "key", "user")
_NO_PASSWORD = ("bypass", "compass", "trespass", "surpass", "underpass", "overpass")
_PASS_QUALIFIERS = frozenset(
    "db database user usr smtp mail email ftp sftp root admin mysql pg postgres redis mongo mongodb ldap bind "
    "proxy host login http https basic auth vpn wifi keystore truststore ks ts key store sudo ssh rabbitmq amqp "
    "es elastic jenkins docker registry my sql oracle app service account imap pop jdbc default master repl "
    "replication client cert ssl tls sa api grafana nexus sonar artifactory wp wordpress kafka zk neo4j couchdb "
    "influx minio become sasl jmx vnc rdp wallet pfx jks p12".split()
)
_TOKEN_NOT_AFTER = frozenset(
    "next page prev previous continuation pagination eos bos pad unk mask sep cls stop start end special sync max "
    "min num per total first last cancellation cancel current lookahead input output prompt completion cached "
    "image audio text reasoning design string operator separator peek consume expected resume cursor scroll".split()
)
_SUFFIXES = frozenset(
    "base value base64 b64 prod production dev development staging stage test testing live sandbox old new prev "
    "previous current primary secondary data string str plain plaintext raw default env backup main eu us local "
    "ci hash private encoded decoded digest crypt bcrypt master readonly rw ro internal external clear cleartext "
    "text var literal".split()
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
        "tomtom nasa spotify lastfm tmdb omdb unsplash pexels pixabay mandrill mailjet sparkpost lob chargebee mollie "
        "statsig qdrant weaviate adyen braintree recurly checkout fal ai21 adafruit"
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

_OPENS = lazy(
    r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])"
    r"(?:[A-Za-z0-9_\-]{20,512}={0,2}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==|(?=[A-Za-z0-9+/]{40}\Z)[A-Za-z0-9+/]+)\Z"
)
_KEY_ID = lazy(r"(?:0x)?[0-9A-F]{8,40}\Z")
_TYPE_NAME = lazy(
    r"[a-z0-9A-Z](?:(?:Private|Public|Secret|Api|Access)Key|Token|Credential|Password)(?:[A-Z_]|s?\Z|Types?)"
)
_LEET = lazy(r"[a-z][013457][a-z]{2}")
_SPLIT = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
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
    if name.isupper() and words[-1] in ("keys", "tokens", "secrets", "passwords"):
        words[-1] = words[-1][:-1]
    what = _noun(words[-1], words[:-1], name)
    if what is None or ("hash" in suffix and what != PASSWORD) or (what in (KEY, LIKELY_KEY) and "public" in words):
        return None
    vendor = next((_VENDORS[word] for word in words[:-1] if word in _VENDORS), "")
    key = "api-key" if "api" in "".join(words) else "secret-key"
    label = {KEY: key, LIKELY_KEY: key, AUTH: "basic-auth", LIKELY_PASSWORD: PASSWORD}.get(what, what)
    return (f"{vendor}-{label}" if vendor else label), what


def vendor_in(name: str) -> str:
    """The vendor that a dotted name speaks of, or nothing."""
    words = [word.lower() for word in _SPLIT.findall(name)]
    known = (_VENDORS.get(word) or _VENDORS.get(word.removesuffix("search").removesuffix("client")) for word in words)
    return next((vendor for vendor in known if vendor), "")


def _noun(last: str, earlier: list[str], name: str) -> str | None:
    previous = earlier[-1] if earlier else ""
    if last == "pwd" and previous not in _PASS_QUALIFIERS:
        return LIKELY_PASSWORD  # or the directory somebody works in
    if last.endswith(_PASSWORDS) or last in ("psk", "masterauth") or (last == "phrase" and previous == "pass"):
        return PASSWORD
    if last in ("pass", "pw") or last.endswith("pass"):
        return _passing(last, previous, name)
    if last.endswith("secret"):
        return SECRET
    if last.endswith("token"):
        public = previous == "public" or earlier[-2:] == ["public", "key"] or last == "publickeytoken"
        return None if public or previous in _TOKEN_NOT_AFTER else TOKEN
    if last == "key":
        if previous in _KEY_QUALIFIERS or previous in _VENDORS:
            return KEY
        return LIKELY_KEY if previous not in _KEY_NOT_AFTER and len(name) > 5 else None
    if last in _COMPOUND_KEYS or last.endswith("apikey"):
        return KEY
    if (last == "id" and previous == "secret") or (last == "salt" and previous in _SALTS):
        return SECRET
    if last in ("auth", "credential", "credentials", "creds"):
        return AUTH
    if last == "pat":
        return TOKEN if name.isupper() or previous in _VENDORS else None
    return None


def _passing(last: str, previous: str, name: str) -> str | None:
    """`smtp_pass` and `dbpass` hold a password, `first_pass` rarely does."""
    if last in ("pass", "pw"):
        if previous in _PASS_QUALIFIERS or name.lower() in ("pass", "pw"):
            return PASSWORD
        return LIKELY_PASSWORD if previous and "_" in name else None
    if last[:-4] in _PASS_QUALIFIERS or last == "requirepass":
        return PASSWORD
    return None if last.endswith(_NO_PASSWORD) else LIKELY_PASSWORD


def secret_kind(name: str, value: str, *, form: str, before: str = "") -> str | None:
    """The kind of secret that `value` is under this name, or None. `form` says how the value was written."""
    found = classify(name, before)
    if found is None:
        return None
    kind, what = found
    if what == PASSWORD:
        return kind if _is_password(value, form, name) else None
    if what == LIKELY_PASSWORD:
        if form == "weak" or value.startswith(("/", "~", "\\")):
            return None
        # In a connection string, or with a digit that a directory would rarely have alone.
        linked = form == "env" and name.lower() == "pwd" and (name != "pwd" or any(map(str.isdigit, value)))
        return kind if _is_password(value, "env" if linked else "weak", name) and (linked or not code(value)) else None
    if what == LIKELY_KEY:
        return kind if _OPENS.match(value) and generated(value) and not stands_in(value) else None
    if len(value) < 8 or len(value) > 4096 or stands_in(value) or any(map(str.isspace, value)):
        return None
    if form in ("plain", "weak", "prose") and code(value) and (_TYPE_NAME.search(value) or not generated(value)):
        return None
    if what == AUTH:
        user, colon, password = value.partition(":")
        pair = colon and user.isalnum() and strict_password(password)
        return kind if pair or basic_pair(value) or (generated(value) and len(value) >= 20) else None
    if len(value) < (10 if what == TOKEN else 8) or (_KEY_ID.match(value) and (form == "weak" or name == "signingkey")):
        return None
    return (
        kind if generated(value) or (form in ("quoted", "literal", "env") and _looks_typed(what, value, name)) else None
    )


def _looks_typed(what: str, value: str, name: str) -> bool:
    """A secret somebody made up: letters, digits and marks such as no name has, or a long one under a telling name."""
    if what == TOKEN:
        return False
    if strict_password(value) and any(char in "!@#$%^&*" for char in value):
        return True
    words = [word.lower() for word in _SPLIT.findall(name)]
    telling = words[-2:] == ["secret", "key"] or (len(words) > 1 and words[-2] in _TYPED_SECRETS)
    return telling and len(value) >= 16 and any(map(str.isdigit, value)) and literal_password(value, firm=True)


def _is_password(value: str, form: str, name: str) -> bool:
    if hashed(value):
        return True
    if "hash" in name.lower() or stands_in(value):
        return False
    if len(value) > 256:
        return len(value) <= 4096 and generated(value)
    if form == "literal" and value.isalpha() and value.islower() and len(value) >= 8 and value.isascii():
        return not any(word in value for word in _SPEAKS_OF_SECRETS)
    if form in ("quoted", "flag", "literal"):
        told = "phrase" in name.lower() and passphrase(value, named=name.isupper())
        return literal_password(value, firm=True) or told or spaced_password(value)
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
    return value.isidentifier() and not _LEET.search(low) and any(word in low for word in _SPEAKS_OF_SECRETS)


def basic_pair(value: str) -> bool:
    """Base64 of `user:password` with a password that is not a stand-in."""
    password = _password_in(value)
    return password is not None and not stands_in(password)


def placeholder_pair(value: str) -> bool:
    """Base64 of `user:password` as documentation writes it."""
    password = _password_in(value)
    return bool(password) and stands_in(password or "")


def _password_in(value: str) -> str | None:
    from binascii import Error, a2b_base64

    try:
        user, colon, password = a2b_base64(value + "=" * (-len(value) % 4)).decode().partition(":")
    except (Error, ValueError):
        return None
    return password if colon and user.isprintable() and password.isprintable() else None
