"""Vendor tokens known by a mark inside them or in front of them that a lookup by their start would not meet."""

from __future__ import annotations

from recollect.text.secrets.rules import A, B, H, W

# kind, what stands in the middle, what stands before it, what follows.
ANCHORED = (
    ("terraform-cloud-token", ".atlasv1.", A + "{14}", "[A-Za-z0-9_=-]{60,70}"),
    ("azure-client-secret", "Q~", "[A-Za-z0-9_~.-]{3}[0-9]", "[A-Za-z0-9_~.-]{31,34}"),
    ("azure-devops-token", "AZDO", A + "{76}", A + "{4}"),
    ("azure-key", "JQQJ99", A + "{52}", A + "{26}"),
    ("azure-storage-key", "+ASt", B + "{76}", B + "{6}=="),
    ("azure-cosmos-key", "ACDb", B + "{76}", B + "{6}=="),
    ("azure-function-key", "AzFu", W + "{44}", W + "{6}={0,2}"),
    ("mailchimp-key", "-us", H + "{32}", "[0-9]{1,2}"),
    ("newrelic-license-key", "NRAL", H + "{36}", ""),
    ("firebase-key", ":APA91b", "AAAA" + W + "{7}", W + "{120,160}"),
    ("braintree-token", "access_token$", "", "(?:production|sandbox)[$][0-9a-z]{16}[$]" + H + "{32}"),
    ("aws-bedrock-key", "ABSK", "", B + "{80,300}={0,2}"),
    ("aws-session-token", "IQoJb3JpZ2lu", "", "[A-Za-z0-9+/=]{80,4000}"),
    ("aws-session-token", "FwoGZXIvYXdz", "", "[A-Za-z0-9+/=]{80,4000}"),
    ("grafana-token", "glc_", "", B + "{32,400}={0,2}"),
    ("fly-token", "fm2_", "", "[A-Za-z0-9+/=_-]{40,2000}(?:,fm2_[A-Za-z0-9+/=_-]{40,2000}){0,4}"),
    ("fly-token", "fm1", "", "[ar]_[A-Za-z0-9+/=_-]{40,2000}"),
    ("google-refresh-token", "1//0", "", W + "{36,200}"),
    ("openshift-token", "sha256~", "", W + "{43}"),
    ("fly-token", "FlyV1 ", "", "[A-Za-z0-9=_,/+-]{60,4000}"),
    ("salesforce-token", "!", "00[A-Za-z0-9]{13}", "[A-Za-z0-9._-]{80,260}"),
    ("maxmind-key", "_mmk", A + "{6}_" + A + "{29}", ""),
    ("facebook-token", "|", "[0-9]{15,16}", W + "{27,40}"),
    ("docker-swarm-key", "SWMKEY-1-", "", B + "{40,60}"),
    (
        "authress-key",
        ".acc",
        "(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}[.][a-z0-9]{4,6}",
        "[_-][a-z0-9-]{10,32}[.][a-z0-9+/_=-]{30,120}",
    ),
    ("datastax-token", "AstraCS:", "", A + "{20,40}(?::" + H + "{64})?"),
)  # fmt: skip
