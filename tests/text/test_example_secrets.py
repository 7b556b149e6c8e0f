"""What looks like a key, a token or a password, made up or not, is told from talk about keys."""

from __future__ import annotations

import pytest

from recollect.text.secrets.examples import carries_credential

CARRIED = """
Use sk-test-1234... as the key.
Use `sk-test-1234...` as the API key in tests.
The staging API key is sk-abc123def456.
Set OPENAI_API_KEY=sk-your-key-here before you run the tests.
API_KEY=<your key> goes into .env.
Put `GITHUB_TOKEN=ghp_xxxxxxxxxxxx` into the file.
The example token is ghp_exampleexample.
AWS examples use AKIAIOSFODNN7EXAMPLE.
The admin password is changeme.
The test password is hunter2.
Log in with admin/admin.
The password of the staging admin in this repository is changeme.
The database runs with postgres:postgres locally.
Set the password to `letmein`.
Use hunter2 as the password.
password: changeme
The key is [redacted:openai-api-key].
Use xoxb-0000-placeholder for the Slack token.
The webhook secret is whsec_test123.
Use test1234 as the secret in development.
Use test1234 for the login password.
Use xxxx-xxxx for the token.
The password is s3cret.
Use AES-256 with the password hunter2: password=hunter2.
The service token is rcl_abcd1234efgh.
""".strip().splitlines()

ONLY_TOLD = """
The API key is in the vault.
Tokens are read from the environment variable API_TOKEN.
The signing secret is read from $SIGNING_SECRET.
API_KEY=$STAGING_KEY is set by CI.
The password is required.
The primary key is a uuid7.
Use uuid7 as the primary key.
The cache key is user_id:v2.
Test keys start with sk-test-.
Secrets are stored in 1Password.
Never log a token or a password.
The token is optional.
The password of the admin is in the vault.
The token for the docs build is a secret of the organization.
A token is 32 characters long.
Use tabs for the Makefile.
We use pnpm 9 as the package manager.
Passwords are hashed with argon2.
Use pypi-publish for releases.
Use hf_hub_download to fetch models.
The tests live in src/admin/test.
The next page token is opaque.
Rotate the deploy key every 90 days.
Sort by the key of the first column.
Use sk-learn pipelines for the models.
Authentication: use the session cookie.
The API uses JWT for auth.
Login is at /admin/login.
CI needs `NPM_TOKEN` to publish.
Use argon2 for password hashing in this repository.
Use uuid4 as the key of every table.
Use OAuth2 for token exchange.
Use HS256 for token signing.
Use RS256 as the token algorithm.
Use PBKDF2 for password storage.
The secret is SHA256.
Use k8s for secret storage.
""".strip().splitlines()


@pytest.mark.parametrize("text", CARRIED)
def test_an_example_of_a_credential_is_one(text: str) -> None:
    assert carries_credential(text)


@pytest.mark.parametrize("text", ONLY_TOLD)
def test_talk_about_credentials_is_not_one(text: str) -> None:
    assert not carries_credential(text)
