"""Secrets apart from their names: on the next line, in the middle of a line, in base64, short tokens."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode

import pytest

from recollect.text.secrets.pieces import redact_again
from recollect.text.secrets.redacting import redact

VALUE = "Vb7!kq2Lmx"
JSON = f'{{"password": "{VALUE}"}}'
ENV = f"DB_HOST=db\nDB_PASSWORD={VALUE}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"echo 'db.example.org:5432:shop:ann:{VALUE}' >> ~/.pgpass",
        f"the line is 10.0.0.7:6543:shop:ann:{VALUE}, put it into .pgpass",
        f"*:*:*:ann:{VALUE}",
        f"password:\n  {VALUE}\n",
        f"DB_PASSWORD=\n{VALUE}\n",
        f'"password":\n    "{VALUE}",\n',
        f"The password:\n\n```\n{VALUE}\n```\n",
        f"- Password:\n  - {VALUE}\r\n",
        f"password is\n{VALUE}",
        f"The root password is:\n\n{VALUE}\n",
        f"the password was\r\n```\n{VALUE}\n```",
    ],
)
def test_a_password_is_found_wherever_it_stands(text: str) -> None:
    assert VALUE not in redact(text)
    assert VALUE not in redact_again(text)


TOKEN = "ghp_k3J4h5G6f7D8s9A0k3J4h5G6f7D8s9A0b2V4"


@pytest.mark.parametrize("text", [f"_{TOKEN}_", f"mcp__{TOKEN}__search", f"{TOKEN}_old", f"backup_{TOKEN}_2.txt"])
def test_a_token_between_underscores_is_found(text: str) -> None:
    assert TOKEN not in redact(text)
    assert TOKEN not in redact_again(text)


def test_a_token_on_the_line_below_its_name_is_found() -> None:
    assert "k3j4h5g6f7d8s9a0" not in redact("API_KEY:\n    k3j4h5g6f7d8s9a0k3j4h5g6\n")


def test_a_short_sentry_token_is_found() -> None:
    assert redact("SENTRY sntrys_k3J4h5G6f7D8s9") == "SENTRY [redacted:sentry-token]"


@pytest.mark.parametrize("line", [f"DB_PASSWORD={VALUE}", "export API_TOKEN=k3J4h5G6f7D8s9A0k3J4", ENV * 6, JSON])
@pytest.mark.parametrize("around", ["{}", "Secret: {} (base64)", "B64={}", "echo {} | base64 -d"])
def test_a_line_of_an_env_file_in_base64_is_found(line: str, around: str) -> None:
    for encode in (b64encode, urlsafe_b64encode):
        hidden = encode(line.encode()).decode()
        assert hidden.rstrip("=") not in redact(around.format(hidden))
        assert hidden.rstrip("=") not in redact_again(around.format(hidden))
    wrapped = "\n".join(hidden[at : at + 76] for at in range(0, len(hidden), 76))
    assert wrapped.split("\n")[0] not in redact(around.format(wrapped))


@pytest.mark.parametrize(
    "text",
    [
        "main.c:1234:5:error:expected2 something",
        "src/app.py:1024:80:E501:line",
        "ports: 127.0.0.1:5432:5432",
        "password:\n  username: ann\n  type: string\n",
        "token:\n  description: The token2Use of a session\n",
        "Password:\nEnter your password2 here",
        "api_key:\n\nThis is the key of the map.",
        "the password is\nstored2Disk by the agent",
        "The API key is\n\n- username: ann2\n",
        b64encode(b"hello, this is plain text and nothing more").decode(),
        b64encode(b"PASSWORD=changeme and USER=ann").decode(),
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert redact(text) == text


def test_the_end_of_a_key_is_found_behind_a_certificate() -> None:
    tail = "\n".join("MIIEowIBAAKCAQEAx7Yk3Vq0m2Zt" * 2 for _ in range(4))
    text = f"-----BEGIN CERTIFICATE-----\n[... 9000 characters ...]\n{tail}\n-----END RSA PRIVATE KEY-----\n"
    assert "MIIEowIBAAKCAQEAx7Yk3Vq0m2Zt" not in redact(text)


GLUED = [
    TOKEN,
    "AKIA" + "Q7ZD3KX5M2PLV4RT",
    "AIza" + "SyD4k3J4h5G6f7D8s9A0b2V4n6M8q1W3e5R",
    "hf_" + "kQ3jX9vB2nM5pL8rT1wY6zC4dF7gH0sJaE",
    "SG." + "k3J4h5G6f7D8s9A0k3J4h5" + "." + "G6f7D8s9A0k3J4h5G6f7D8s9A0b2V4n6M8q1W3e5R7t",
    "hvs." + "k3J4h5G6f7D8s9A0b2V4n6M8",
    "dop_v1_" + "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c" * 2,
    "r8_" + "k3J4h5G6f7D8s9A0k3J4h5G6f7D8s9A0b2V4n",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.k3J4h5G6f7D8s9A0k3J4h5G6f7D8s9A0b2V4n6M8q1W",
]


@pytest.mark.parametrize("token", GLUED)
@pytest.mark.parametrize(
    "around", ["prefix_{}_suffix", "_{}_", "x__{}__y", "{}_old", "BACKUP_{}_2024.tar", "my-{}-key"]
)
def test_a_token_glued_into_a_longer_name_is_taken_out(token: str, around: str) -> None:
    for text in (around.format(token), f"see {around.format(token)} for more"):
        assert token[7:-7] not in redact(text)
        assert redact_again(text) == redact(text)


@pytest.mark.parametrize(
    "name",
    [
        "REGION_ASIAPACIFICSOUTHEAST_2",
        "test_hf_transformersmodelwithaverylongname_small",
        "load_v1.0-release_candidate_of_the_new_pipeline",
        "api_sk-learn-pipeline_for_text_classification",
        "my_SG.description_of_the_security_group.for_ingress_and_egress_rules",
        "parse_eyJ_header_and_payload_and_signature",
        "backup_2024_11_16_before_migration_0042.tar",
    ],
)
def test_a_long_name_with_the_start_of_a_token_in_it_stays(name: str) -> None:
    assert redact(f"see {name} for more") == f"see {name} for more"
