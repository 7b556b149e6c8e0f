"""Secrets in documented formats and harmless text that looks like them, made from a seed.

Nothing here is a secret: bodies are random and put together at run time, so no file holds a whole token.
"""

from __future__ import annotations

import base64
import json
import string
from random import Random
from typing import NamedTuple

from benchmarks.secret_bodies import (
    ALNUM,
    BASE32,
    BASE64,
    HEX,
    LOWER,
    UPPER,
    URLSAFE,
    Make,
    after,
    body,
    digits,
    segment,
    uuid4,
)
from benchmarks.secret_lookalikes import lookalikes
from benchmarks.secret_surroundings import NAMED, PASSWORD_TEXTS, TOKEN_TEXTS


class Sample(NamedTuple):
    """One text, the secrets in it (none: harmless), and what kind of sample it is."""

    text: str
    secrets: tuple[str, ...]
    kind: str


def _jwt(r: Random) -> str:
    claims = {"sub": digits(r, 10), "name": r.choice(("Ann", "Bo", "Cy")), "iat": 1_700_000_000 + r.randrange(10**7)}
    return f"{segment({'alg': 'HS256', 'typ': 'JWT'})}.{segment(claims)}.{body(43, URLSAFE)(r)}"


def _openai(r: Random) -> str:
    return f"sk-proj-{body(74, URLSAFE)(r)}T3Blbk" + f"FJ{body(74, URLSAFE)(r)}"


def _discord(r: Random) -> str:
    return f"{r.choice('MNO')}{body(25)(r)}.{body(6, URLSAFE)(r)}.{body(38, URLSAFE)(r)}"


def _slack_bot(r: Random) -> str:
    return f"xoxb-{digits(r, 12)}-{digits(r, 13)}-{body(24)(r)}"


def _sentry(r: Random) -> str:
    claims = {
        "iat": 1_700_000_000 + r.randrange(10**7),
        "url": "https://sentry.io",
        "region_url": "https://us.sentry.io",
    }
    return f"sntrys_{base64.b64encode(json.dumps(claims).encode()).decode()}_{body(43, BASE64)(r)}"


# Name for the variable, how the vendor documents the value.
TOKENS: dict[str, tuple[str, Make]] = {
    "aws-access-key-id": ("AWS_ACCESS_KEY_ID", after("AKIA", 16, BASE32)),
    "aws-temporary-key-id": ("AWS_ACCESS_KEY_ID", after("ASIA", 16, BASE32)),
    "aws-bedrock-key": ("AWS_BEARER_TOKEN_BEDROCK", after("ABSK", 128, BASE64)),
    "google-api-key": ("GOOGLE_API_KEY", after("AIza", 35, URLSAFE)),
    "google-oauth-secret": ("GOOGLE_CLIENT_SECRET", after("GOCSPX-", 28, URLSAFE)),
    "google-oauth-token": ("GOOGLE_ACCESS_TOKEN", after("ya29.a0", 160, URLSAFE)),
    "azure-client-secret": ("AZURE_CLIENT_SECRET", lambda r: f"{body(3)(r)}8Q~{body(34, ALNUM + '_.-')(r)}"),
    "azure-devops-token": ("AZURE_DEVOPS_PAT", lambda r: f"{body(76)(r)}AZDO{body(4)(r)}"),
    "github-token": ("GITHUB_TOKEN", after("ghp_", 36)),
    "github-oauth-token": ("GH_TOKEN", after("gho_", 36)),
    "github-app-token": ("GITHUB_TOKEN", after("ghs_", 36)),
    "github-user-token": ("GITHUB_TOKEN", after("ghu_", 36)),
    "github-refresh-token": ("REFRESH", after("ghr_", 76)),
    "github-fine-grained": ("GITHUB_PAT", lambda r: f"github_pat_{body(22)(r)}_{body(59)(r)}"),
    "gitlab-token": ("GITLAB_TOKEN", after("glpat-", 20, URLSAFE)),
    "gitlab-deploy-token": ("DEPLOY", after("gldt-", 20, URLSAFE)),
    "gitlab-runner-token": ("RUNNER", after("glrt-", 20, URLSAFE)),
    "gitlab-trigger-token": ("TRIGGER", after("glptt-", 40, HEX)),
    "gitlab-feed-token": ("FEED", after("glft-", 20, URLSAFE)),
    "atlassian-token": ("JIRA_API_TOKEN", lambda r: f"ATATT3xFfGF0{body(170, URLSAFE)(r)}={body(8, HEX.upper())(r)}"),
    "bitbucket-app-password": ("BITBUCKET", after("ATBB", 32)),
    "openai-key": ("OPENAI_API_KEY", _openai),
    "openai-legacy-key": ("OPENAI_API_KEY", lambda r: f"sk-{body(20)(r)}T3Blbk" + f"FJ{body(20)(r)}"),
    "anthropic-key": ("ANTHROPIC_API_KEY", after("sk-" + "ant-api03-", 93, URLSAFE, "AA")),
    "anthropic-admin-key": ("ANTHROPIC_ADMIN_KEY", after("sk-" + "ant-admin01-", 93, URLSAFE, "AA")),
    "anthropic-oauth-token": ("CLAUDE_CODE_OAUTH_TOKEN", after("sk-" + "ant-oat01-", 93, URLSAFE, "AA")),
    "openrouter-key": ("OPENROUTER_API_KEY", after("sk-or-v1-", 64, HEX)),
    "deepseek-key": ("DEEPSEEK_API_KEY", after("sk-", 32, HEX)),
    "groq-key": ("GROQ_API_KEY", after("gsk_", 52)),
    "xai-key": ("XAI_API_KEY", after("xai-", 80)),
    "perplexity-key": ("PERPLEXITY_API_KEY", after("pplx-", 48)),
    "replicate-token": ("REPLICATE_API_TOKEN", after("r8_", 37)),
    "huggingface-token": ("HF_TOKEN", after("hf_", 34, string.ascii_letters)),
    "fireworks-key": ("FIREWORKS_API_KEY", after("fw_", 22)),
    "pinecone-key": ("PINECONE_API_KEY", lambda r: f"pcsk_{body(6)(r)}_{body(63)(r)}"),
    "langsmith-key": ("LANGSMITH_API_KEY", lambda r: f"lsv2_pt_{body(32, HEX)(r)}_{body(10, HEX)(r)}"),
    "tavily-key": ("TAVILY_API_KEY", after("tvly-dev-", 32)),
    "slack-bot-token": ("SLACK_BOT_TOKEN", _slack_bot),
    "slack-user-token": (
        "SLACK_TOKEN",
        lambda r: f"xoxp-{digits(r, 12)}-{digits(r, 12)}-{digits(r, 13)}-{body(32, HEX)(r)}",
    ),
    "slack-app-token": (
        "SLACK_APP_TOKEN",
        lambda r: f"xapp-1-A{body(10, UPPER)(r)}-{digits(r, 13)}-{body(64, HEX)(r)}",
    ),
    "discord-token": ("DISCORD_TOKEN", _discord),
    "telegram-bot-token": ("TELEGRAM_BOT_TOKEN", lambda r: f"{digits(r, 10)}:AA{body(33, URLSAFE)(r)}"),
    "twilio-key": ("TWILIO_API_KEY", after("SK", 32, HEX)),
    "sendgrid-key": ("SENDGRID_API_KEY", lambda r: f"SG.{body(22, URLSAFE)(r)}.{body(43, URLSAFE)(r)}"),
    "mailgun-key": ("MAILGUN_API_KEY", after("key-", 32, HEX)),
    "mailchimp-key": ("MAILCHIMP_API_KEY", lambda r: f"{body(32, HEX)(r)}-us{r.randint(1, 21)}"),
    "resend-key": ("RESEND_API_KEY", lambda r: f"re_{body(8)(r)}_{body(24)(r)}"),
    "stripe-live-key": ("STRIPE_SECRET_KEY", after("sk_" + "live_", 24)),
    "stripe-restricted-key": ("STRIPE_KEY", after("rk_" + "live_", 99)),
    "stripe-test-key": ("STRIPE_SECRET_KEY", after("sk_" + "test_", 24)),
    "stripe-webhook-secret": ("STRIPE_WEBHOOK", after("whsec_", 32)),
    "square-token": ("SQUARE_TOKEN", after("sq0atp-", 22, URLSAFE)),
    "square-secret": ("SQUARE_SECRET", after("sq0csp-", 43, URLSAFE)),
    "braintree-token": ("PAYPAL", lambda r: f"access_token$production${body(16, LOWER)(r)}${body(32, HEX)(r)}"),
    "shopify-token": ("SHOPIFY_TOKEN", after("shpat_", 32, HEX)),
    "shopify-secret": ("SHOPIFY_SECRET", after("shpss_", 32, HEX)),
    "npm-token": ("NPM_TOKEN", after("npm_", 36)),
    "pypi-token": ("TWINE_PASSWORD", after("pypi-AgEIcHlwaS5vcmc", 156, URLSAFE)),
    "rubygems-key": ("GEM_HOST_API_KEY", after("rubygems_", 48, HEX)),
    "crates-token": ("CARGO_REGISTRY_TOKEN", after("cio", 32)),
    "nuget-key": ("NUGET_API_KEY", after("oy2", 43, LOWER)),
    "docker-token": ("DOCKER_PASSWORD", after("dckr_pat_", 27, URLSAFE)),
    "digitalocean-token": ("DIGITALOCEAN_TOKEN", after("dop_v1_", 64, HEX)),
    "heroku-key": ("HEROKU_API_KEY", after("HRKU-AA", 58, URLSAFE)),
    "fly-token": ("FLY_API_TOKEN", after("fm2_", 180, BASE64)),
    "vercel-token": ("VERCEL_TOKEN", after("vcp_", 56)),
    "netlify-token": ("NETLIFY_AUTH_TOKEN", after("nfp_", 36)),
    "cloudflare-origin-key": ("CF_ORIGIN_CA", lambda r: f"v1.0-{body(24, HEX)(r)}-{body(146, HEX)(r)}"),
    "linear-key": ("LINEAR_API_KEY", after("lin_api_", 40)),
    "notion-token": ("NOTION_TOKEN", lambda r: f"ntn_{digits(r, 11)}{body(35)(r)}"),
    "notion-legacy-token": ("NOTION_TOKEN", after("secret_", 43)),
    "figma-token": ("FIGMA_TOKEN", after("figd_", 40, URLSAFE)),
    "airtable-token": ("AIRTABLE_API_KEY", lambda r: f"pat{body(14)(r)}.{body(64, HEX)(r)}"),
    "dropbox-token": ("DROPBOX_TOKEN", after("sl.", 140, URLSAFE)),
    "asana-token": ("ASANA", lambda r: f"2/{digits(r, 16)}/{digits(r, 16)}:{body(32, HEX)(r)}"),
    "databricks-token": ("DATABRICKS_TOKEN", after("dapi", 32, HEX)),
    "planetscale-token": ("PLANETSCALE", after("pscale_tkn_", 43, URLSAFE)),
    "planetscale-password": ("DB", after("pscale_pw_", 43, URLSAFE)),
    "supabase-token": ("SUPABASE_ACCESS_TOKEN", after("sbp_", 40, HEX)),
    "supabase-secret-key": ("SUPABASE_SECRET_KEY", after("sb_secret_", 31, URLSAFE)),
    "neon-key": ("NEON_API_KEY", after("napi_", 64, LOWER)),
    "newrelic-key": ("NEW_RELIC_API_KEY", after("NRAK-", 27, UPPER)),
    "grafana-token": ("GRAFANA_TOKEN", lambda r: f"glsa_{body(32)(r)}_{body(8, HEX)(r)}"),
    "grafana-cloud-token": ("GRAFANA_CLOUD", after("glc_", 120, BASE64)),
    "sentry-token": ("SENTRY_AUTH_TOKEN", _sentry),
    "sentry-user-token": ("SENTRY_AUTH_TOKEN", after("sntryu_", 64, HEX)),
    "honeycomb-key": ("HONEYCOMB_API_KEY", after("hcaik_01", 56, LOWER)),
    "terraform-token": ("TF_TOKEN", lambda r: f"{body(14)(r)}.atlasv1.{body(67)(r)}"),
    "vault-token": ("VAULT_TOKEN", after("hvs.", 95, URLSAFE)),
    "vault-legacy-token": ("VAULT_TOKEN", after("s.", 24)),
    "pulumi-token": ("PULUMI_ACCESS_TOKEN", after("pul-", 40, HEX)),
    "doppler-token": ("DOPPLER_TOKEN", after("dp.pt.", 43)),
    "onepassword-secret-key": (
        "OP",
        lambda r: "A3-" + "-".join(body(length, UPPER)(r) for length in (6, 6, 5, 5, 5, 5)),
    ),
    "age-secret-key": ("SOPS_AGE", after("AGE-SECRET-KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")),
    "jwt": ("JWT", _jwt),
    "hubspot-token": ("HUBSPOT", lambda r: f"pat-na1-{uuid4(r)}"),
    "launchdarkly-key": ("LD", lambda r: f"sdk-{uuid4(r)}"),
    "plaid-token": ("PLAID", lambda r: f"access-production-{uuid4(r)}"),
    "trello-token": ("TRELLO", after("ATTA", 72, HEX)),
    "clickup-token": ("CLICKUP", lambda r: f"pk_{digits(r, 8)}_{body(32, UPPER)(r)}"),
    "zoho-token": ("ZOHO", lambda r: f"1000.{body(32, HEX)(r)}.{body(32, HEX)(r)}"),
    "yandex-token": ("YANDEX", after("y0_", 55, URLSAFE)),
    "tencent-id": ("TENCENT", after("AKID", 32)),
    "instagram-token": ("INSTAGRAM", after("IGQVJ", 150)),
    "kaggle-token": ("KAGGLE", after("KGAT_", 32, HEX)),
    "cursor-key": ("CURSOR", after("key_", 64, HEX)),
    "lob-key": ("LOB", after("live_", 35, HEX)),
    "aiven-password": ("AIVEN", after("AVNS_", 19, URLSAFE)),
    "snyk-token": ("SNYK", lambda r: f"snyk_uat.{body(8, HEX)(r)}.{_jwt(r)}"),
    "packagist-token": ("PACKAGIST", after("packagist_uut_", 68, HEX)),
    "honeybadger-key": ("HONEYBADGER", after("hbp_", 36)),
    "woocommerce-secret": ("WC", after("cs_", 40, HEX)),
    "riot-key": ("RIOT", lambda r: f"RGAPI-{uuid4(r)}"),
    "amazon-secret": ("LWA", after("amzn1.oa2-cs.v1.", 64, HEX)),
    "infisical-token": ("INFISICAL", lambda r: f"st.{body(24, HEX)(r)}.{body(32, HEX)(r)}.{body(32, HEX)(r)}"),
    "paseto": ("PASETO", after("v4.local.", 120, URLSAFE)),
    "laravel-token": ("SANCTUM", lambda r: f"{r.randint(1, 999)}|{body(40)(r)}"),
    "dbt-token": ("DBT", after("dbtc_", 44)),
    "netbird-token": ("NETBIRD", after("nbp_", 36)),
    "stytch-secret": ("STYTCH", lambda r: f"secret-live-{body(36, URLSAFE)(r)}="),
}

_PASSWORD_WORDS = ("Autumn", "harbor", "Falcon", "tulip", "granite", "Velvet", "maple", "Copper")


def _password(r: Random) -> str:
    style = r.randrange(3)
    if style == 0:
        return body(r.randint(10, 20), ALNUM + "!#%^*_-+")(r) + r.choice("7394") + r.choice("!#*") + r.choice("kQz")
    if style == 1:
        return f"{r.choice(_PASSWORD_WORDS)}{r.choice('!#*-')}{r.choice(_PASSWORD_WORDS)}{r.randint(10, 9999)}"
    return body(8)(r) + r.choice("!#") + body(6)(r) + str(r.randint(10, 99)) + "Kx"


def _key_block(r: Random, label: str, *, cut: bool = False, escaped: bool = False) -> tuple[str, tuple[str, ...]]:
    lines = [body(64, BASE64)(r) for _ in range(r.randint(6, 14))]
    text = "\n".join([f"-----BEGIN {label}-----", *lines, *([] if cut else [f"-----END {label}-----"]), ""])
    if escaped:
        text = '{"type": "service_account", "private_key": ' + json.dumps(text) + ', "client_id": "1"}'
    return text, tuple(lines)


def secrets(seed: int, *, contexts: int = 4) -> list[Sample]:
    """Texts with secrets: every kind in several places."""
    r = Random(seed)
    made: list[Sample] = []
    for kind, (name, make) in TOKENS.items():
        for template in r.sample(TOKEN_TEXTS, contexts):
            value = make(r)
            made.append(Sample(template.format(name=name, lower=name.lower(), secret=value), (value,), kind))
    for kind, (make, templates) in NAMED.items():
        for template in templates:
            value = make(r)
            made.append(Sample(template.format(v=value), (value,), kind))
    for template in PASSWORD_TEXTS:
        for _ in range(2):
            value = _password(r)
            made.append(Sample(template.format(v=value), (value,), "password"))
    for label in ("RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PRIVATE KEY"):
        for cut, escaped in ((False, False), (True, False), (False, True)):
            text, lines = _key_block(r, label, cut=cut, escaped=escaped)
            made.append(Sample(text, lines, "private-key"))
    return made


def samples(seed: int) -> list[Sample]:
    """Everything one run of the benchmark looks at."""
    return secrets(seed) + [Sample(text, (), kind) for kind, text in lookalikes(Random(seed + 1))]
