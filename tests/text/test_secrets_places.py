"""Where secrets stand without a vendor's mark: tables, manifests, commands, other languages; and what only looks so."""

from __future__ import annotations

import base64
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.secret_samples import samples
from recollect.text.secrets.pieces import redact_again
from recollect.text.secrets.redacting import find, redact

PASSWORD = "Tr0ub4dor" + "&3x"
HEX32 = "9f8a7b6c5d4e3f2a" + "1b0c9d8e7f6a5b4c"
UUID = "3f2504e0-4f89-41d3-" + "9a0c-0305e82c3301"


@pytest.mark.parametrize(
    "text",
    [
        "| user | password |\n|---|---|\n| ann | {v} |",
        "user,password\nann,{v}\n",
        "INSERT INTO users (name, password) VALUES ('ann', '{v}');",
        'name="password"\n'.join(["Content-Disposition: form-data; ", "\n{v}\n--x"]),
        "<key>SmtpPassword</key><string>{v}</string>",
        "<property><name>db.password</name><value>{v}</value></property>",
        'variable "db_password" {{\n  default = "{v}"\n}}',
        '"adminPassword": {{ "value": "{v}" }}',
        "DbPassword:\n  Type: String\n  Default: {v}",
        'requests.get(url, auth=("ann", "{v}"))',
        'new NetworkCredential("ann", "{v}")',
        'ConvertTo-SecureString "{v}" -AsPlainText -Force',
        "echo '{v}' | sudo -S true",
        "az keyvault secret set --name db --value '{v}'",
        "curl \\\n  -u ann:{v} https://h",
        'sql.Open("mysql", "app:{v}@tcp(db:3306)/shop")',
        "smtp://ann@example.net:{v}@smtp.example.net:587",
        "ann@example.net:{v}",
        "Password for the elastic user: {v}",
        "A temporary password is generated for root@localhost: {v}",
        'let password = String::from("{v}");',
        "set -gx DB_PASSWORD {v}",
        "Das Passwort lautet {v}",
        "mot de passe : {v}",
        "contraseña: {v}",
        "パスワード: {v}",
        "密码：{v}",
        "пароль: {v}",
    ],
)
def test_a_password_is_found_where_its_name_stands_elsewhere_or_is_foreign(text):
    assert PASSWORD not in redact(text.format(v=PASSWORD))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("https://mainnet.infura.io/v3/{v}", "infura-key"),
        ("https://api.example.net/items?key={v}&page=2", "query-key"),
        ('algoliasearch("APPID12345", "{v}")', "algolia-key"),
        ("kind: Secret\ndata:\n  extra: {v}\n", "kubernetes-secret"),
        ('{{"username": "ann", "key": "{v}"}}', "kaggle-key"),
        ("sonar.login={v}12ab34cd", "sonar-token"),
    ],
)
def test_the_place_says_what_kind_was_removed(text, kind):
    redacted = redact(text.format(v=HEX32))
    assert HEX32 not in redacted
    assert f"[redacted:{kind}]" in redacted


def test_a_key_shown_with_line_numbers_or_in_a_diff_is_found():
    lines = [base64.b64encode(Random(n).randbytes(48)).decode() for n in range(6)]
    block = ["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"]
    for shown in (
        "\n".join(f"{number}\t{line}" for number, line in enumerate(block, 1)),
        "\n".join(f"{number:>6}→{line}" for number, line in enumerate(block, 1)),
        "\n".join(f"+{line}" for line in block),
        "\n".join(f"> {line}" for line in block),
        ", ".join(f"'{line}'" for line in block),
        " ".join(block),
    ):
        assert not any(line in redact(shown) for line in lines), shown


def test_certificates_in_a_manifest_stay_and_a_sealed_secret_too():
    certificate = base64.b64encode(b"-----BEGIN CERTIFICATE-----\n" + b"x" * 60).decode()
    for text in (
        f"kind: Secret\ndata:\n  ca.crt: {certificate}\n",
        f"kind: ConfigMap\ndata:\n  extra: {HEX32}\n",
        "encryptedData:\n  password: Ag" + HEX32 * 4,
    ):
        assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "--- PASS: TestExitCode (0.00s)",
        "pwd: /home/ann/work",
        "private_key: x25519.X25519PrivateKey",
        "PublicKeyToken=b77a5c561934e089",
        '"password": "[FILTERED]"',
        "Authorization: Basic " + base64.b64encode(b"user:password").decode(),
        "name=verify_password duration=210ms",
        "passwords: at least 12 characters",
        "Das Passwort muss 8 Zeichen haben",
        "password combination.\n\nR5: Regulatory--21",
        'usernameLabel:"Username:",passwordLabel:"Password:",rememberLabel:"Remember me:"',
        "docker run -u 1000 -p 8080:80 web",
        "git@github.com:acme/token2.git",
        f"credentialsId: '{UUID}'",
        "| field | type |\n|---|---|\n| password | string |",
        "wslpath -u 'C:\\Users\\ann\\Temp\\x1'",
    ],
)
def test_what_only_looks_like_one_is_left_alone(text):
    assert redact(text) == text


@given(st.binary(min_size=200, max_size=2000))
def test_a_blob_of_base64_holds_no_secret(data):
    blob = base64.b64encode(data).decode()
    assert find(f"signature {blob}") == []


def test_texts_stored_many_at_once_lose_the_same_secrets_in_every_place():
    different = [case.text for case in samples(29) if redact_again(case.text) != redact(case.text)]
    assert different == []


def test_every_place_of_the_benchmark_is_redacted_once_and_for_all():
    for case in samples(31):
        once = redact(case.text)
        assert redact(once) == once, case.text
