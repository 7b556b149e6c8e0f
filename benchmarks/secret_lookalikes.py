"""Harmless text that looks like secrets: hashes, ids, placeholders, code, public keys, prose."""

from __future__ import annotations

import base64
import string
import uuid
from collections.abc import Iterator
from random import Random

_ALNUM = string.ascii_letters + string.digits
_HEX = string.digits + "abcdef"
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VERBS = ("load", "parse", "resolve", "validate", "render", "merge", "flush", "collect", "notify", "expand")
_NOUNS = ("session", "account", "invoice", "request", "payment", "widget", "cluster", "pipeline", "snapshot", "ledger")

# Fixed texts, by what they are.
_FIXED: dict[str, tuple[str, ...]] = {
    "placeholder": (
        "api_key = <your-api-key>",
        "OPENAI_API_KEY=YOUR_API_KEY",
        "export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "password: changeme",
        "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "password: ${DB_PASSWORD}",
        "PASSWORD=$DB_PASSWORD",
        "password = \"{{ vault_db_password }}\"",
        "api_key: ENC[AES256_GCM,data:abc]",
        "postgres://user:password@localhost:5432/db",
        "mysql://username:pass@example.com/db",
        "https://user:secret@example.com/",
        "redis://:${REDIS_PASSWORD}@cache:6379",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer {token}",
        "curl -u user:password https://example.com",
        "curl -u \"$USER:$PASS\" https://example.com",
        "mysql -u root -p mydb",
        "password=********",
        "secret: [REDACTED]",
        "token = \"...\"",
        "sk-...",
        "sk-ant-api03-...",
        "password: \"\"",
        "SECRET_KEY=replace-me-with-a-long-random-string",
        "client_secret: your_client_secret_here",
        "api_key: \"insert-your-key-here\"",
        "DATABASE_URL=postgres://postgres:postgres@localhost/test",
        "token: op://vault/item/field",
        "password: !vault |",
        "db_password: arn:aws:secretsmanager:eu-west-1:111122223333:secret:prod/db",
        "SLACK_TOKEN=xoxb-your-token-here",
        "\"password\": \"[FILTERED]\",",
        "\"password\": \"[parameters('adminPassword')]\"",
        "\"password\": \"@Microsoft.KeyVault(SecretUri=https://kv.vault.azure.net/secrets/db)\"",
        "PASSWORD=\"${PASSWORD:-$(openssl rand -hex 16)}\"",
        "Authorization: Basic dXNlcjpwYXNz",
        "Authorization: Basic YWRtaW46YWRtaW4=",
        "curl --user neo4j:[PASSWORD] http://[IP]:7474/db/data/",
        "curl -u \"${username}\":\"${password}\" https://example.com",
        "https://jo%40example.com:a%20secret@example.com",
        "DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/DB",
        "token: ((github-token))",
        "password: $__file{/etc/secrets/db}",
        "jdbc:mysql://[(host=h1,user=sandy,password=secret),(host=h2,user=finn,password=secret)]/db",
    ),
    "code": (
        "password = get_password()",
        "password = getpass.getpass('Password: ')",
        "token: str",
        "password: Optional[str] = None",
        "def login(self, username: str, password: str) -> Token: ...",
        "if token == expected_token:",
        "api_key = os.environ[\"OPENAI_API_KEY\"]",
        "const apiKey = process.env.OPENAI_API_KEY;",
        "secret = os.getenv('CLIENT_SECRET')",
        "String password = System.getenv(\"DB_PASSWORD\");",
        "password_field = \"password\"",
        "secret_name: my-secret",
        "secretKeyRef:\n  name: db-credentials\n  key: password",
        "max_tokens=4096",
        "tokens: 1234",
        "token_count = 512",
        "prompt_tokens: 812, completion_tokens: 96, total_tokens: 908",
        "tokenizer = AutoTokenizer.from_pretrained('gpt2')",
        "eos_token = '<|endoftext|>'",
        "self.password = password",
        "user.password = hash_password(form.password)",
        "const { password, token } = req.body;",
        "props.token && fetchUser(props.token)",
        "password: string;",
        "password?: string | null;",
        "token: Token | undefined",
        "func Login(user, password string) (*Session, error) {",
        "let password: &str = args.password;",
        "password = Column(String(255), nullable=False)",
        "password VARCHAR(255) NOT NULL",
        "'password' => 'required|string|min:8|confirmed'",
        "<input type=\"password\" name=\"password\" id=\"password\">",
        "password: 'Password must be at least 8 characters'",
        "\"password\": \"Passwort\",",
        "label=\"API key\"",
        "PASSWORD_RE = re.compile(r'^(?=.*[A-Z])(?=.*[0-9]).{8,}$')",
        "pattern: '[A-Za-z0-9_]{36}'",
        "key: value",
        "monkey: banana",
        "keyboard = \"querty-105\"",
        "primary_key=True",
        "foreign_key = 'users.id'",
        "cache_key = f'user:{user_id}:v2'",
        "partition_key: tenant_id",
        "next_page_token: CAUQAA",
        "public_key_path = '/etc/ssl/public.pem'",
        "private_key_path: /etc/ssl/private/server.key",
        "token_url: https://auth.example.com/oauth/token",
        "access_token_expires_in: 3600",
        "password_reset_timeout = 259200",
        "test_password_is_hashed_before_saving PASSED",
        "from secrets import token_hex",
        "import { TokenProvider } from './token-provider';",
        "assert response.json()['token']",
        "raise AuthError('invalid token')",
        "password = form.cleaned_data['password']",
        "api_key=settings.OPENAI_API_KEY,",
        "token=config.get('token'),",
        "credentials = service_account.Credentials.from_service_account_file(path)",
        "auth = HTTPBasicAuth(user, password)",
        "author: Jane Doe",
        "authority = https://login.example.com",
        "passed: 12, failed: 0",
        "bypass: true",
        "compass = 'north'",
        "private_key: x25519.X25519PrivateKey",
        "def sign(data: bytes, private_key: PKCS7PrivateKeyTypes) -> bytes:",
        "async def revoke_token(self, token: AccessTokenT) -> None:",
        "def _has_static_credential(request: httpx2.Request) -> bool:",
        "KeyPair = X25519.KeyPair",
        "\"Cryptography_HAS_PSK\": cryptography_has_psk,",
        "if \"-----BEGIN RSA PRIVATE KEY-----\" in text:",
        "START = b\"-----BEGIN OPENSSH PRIVATE KEY-----\"\nEND = b\"-----END OPENSSH PRIVATE KEY-----\"",
        "token = r\"[-!#$%&'*+.^_`|~0-9a-zA-Z]+\"",
        "a.token=b.token;c.password=d[0];e.secret=!0;",
        "String usernamePassword = \"application:\" + appKey + \":\" + appSecret;",
        "usernameLabel:\"Username:\",passwordLabel:\"Password:\",rememberMeLabel:\"Remember me:\"",
        "put '/forgot-password' => \"sites/passwords#update\", as: 'update_password'",
        "echo 'password = '.$p['config']['daemon_password'].\"\\n\";",
        "pwd: /home/ann/src/billing",
        "Pwd: `C:\\Users\\ann\\Documents\\billing`",
        "wslpath -u 'C:\\Users\\ann\\AppData\\Local\\Temp\\x1'",
        "Expand-Archive nu.zip -DestinationPath nu; Add-Content -Path $env:GITHUB_PATH nu",
        "credentialsId: 'ff083f76-7804-4ef1-80e4-fe975bb9141b'",
        "\"password\": {\"type\": \"string\", \"minLength\": 8},",
        "INSERT INTO tokens (user_id, expires_at) VALUES (1, now() + interval '1 day');",
        "dsn := fmt.Sprintf(\"%s:%s@tcp(%s)/%s\", user, password, host, db)",
        "docker run -u 1000 -p 8080:80 web",
    ),
    "test-output": (
        "--- PASS: TestExitCode (0.00s)",
        "PASS: test_login_with_password",
        "PASS  src/token.spec.ts",
        "span=1ceaf1597d9c031a name=verify_password duration=210ms",
        "etcd key=/registry/secrets/default/db-password revision=4706121",
        "ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)",
    ),
    "public": (
        "System.Core, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089",
        "[user]\n  signingkey = E7721D1DAEB13E49",
        "gpg: using RSA key 7A1E05EF23DCECAD7885CAC875D796AFFD61D0E1",
        "https://codecov.io/gh/acme/x/branch/main/graph/badge.svg?token=RXP95LE2XL",
    ),
    "table": (
        "| field | type | required |\n|---|---|---|\n| password | string | yes |",
        "| name | password |\n|---|---|\n| rule | at least 12 characters |",
        "name,password_policy,token_ttl\nann,strict,3600",
    ),
    "other-language": (
        "Passwort: siehe Tresor",
        "Das Passwort muss mindestens 8 Zeichen haben.",
        "mot de passe : au moins 8 caractères",
        "contraseña: mínimo 8 caracteres",
        "パスワードは8文字以上です",
        "密码：请联系管理员",
        "пароль: не менее 8 символов",
        "senha: obrigatória",
    ),
    "prose": (
        "The password is required and must contain 8 characters.",
        "Your password is stored hashed with bcrypt.",
        "the token is invalid or has expired",
        "The API key is missing from the request.",
        "Set the password to something memorable.",
        "Use the token to authenticate.",
        "The secret to good tests is small functions.",
        "We keep tokens in the keychain, never in files.",
        "Please reset your password: open Settings and choose Reset.",
        "key takeaways: caching matters",
        "Password strength: strong",
        "The token limit is 200000 per request.",
        "A bearer token is sent in the Authorization header.",
        "Basic authentication uses base64 encoding.",
        "basic information about the project",
        "password rules: at least one digit and one symbol",
        "He has the key to the office.",
        "This pass is faster than the first pass.",
        "The secret is in the sauce.",
        "token bucket: 100 requests per minute",
        "Key: the left column is the name",
        "password combination.\n\nR5: Regulatory--21",
        "The seed phrase: write it down and never type it into a page that asks for it",
        "passphrase: leave it empty for no passphrase at all",
        "The password for the following hosts:\n\nhost1\nhost2",
        "credentials: rotated on 2026-05-01 by ops",
        "login: broken since 3.2.1 / fixed in 3.2.2",
    ),
    "path": (
        "/usr/lib/python3.11/site-packages/cryptography/hazmat/primitives/asymmetric/ed25519.py",
        "src/components/PasswordResetForm/PasswordResetForm.test.tsx",
        "~/.ssh/id_ed25519",
        "node_modules/@babel/plugin-proposal-private-property-in-object",
        "C:\\Users\\ann\\AppData\\Roaming\\token-cache\\index.db",
        "s3://acme-prod-artifacts/builds/2026/03/01/app-1.42.0.tar.gz",
        "https://example.com/docs/api-keys#rotating-secret-keys",
        "https://github.com/acme/secret-service/blob/main/token_store.py",
        "git@github.com:acme/widget-service.git",
        "ssh://git@github.com/acme/widget.git",
        "http://localhost:8080/api/v1/tokens?limit=10",
    ),
    "package": (
        "@aws-sdk/client-secrets-manager@3.540.0",
        "task_management_system",
        "disk-usage-analyzer",
        "risk-assessment-toolkit-for-python-3",
        "sk-learn-contrib-experimental-pipelines",
        "sk-toggleable__content sk-hidden--visually",
        "hf_transfer==0.1.6",
        "re_compile_patterns_from_configuration_v2",
        "npm_config_registry npm_lifecycle_event npm_package_version",
        "pat_interval_partition_statistics",
        "shpat_ial_index_builder_for_postgis",
        "org.springframework.security.oauth2.provider.token.store.JwtTokenStore",
        "AbstractSingletonProxyFactoryBeanDefinitionParserDelegate",
        "com.fasterxml.jackson.core:jackson-databind:2.17.0",
    ),
    "markup": (
        ".btn-primary{color:#ff8800;background:#1a2b3c80}",
        "!function(e,t){\"object\"==typeof exports?module.exports=t():e.key=t()}(this,function(){return 1});",
        "<svg viewBox=\"0 0 24 24\"><path d=\"M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10S17.52 2 12 2z\"/></svg>",
        "Co-authored-by: Ann Smith <ann.smith@example.com>",
        "Signed-off-by: Bo Lee <bo@example.com>",
        "Change-Id: I8473b95934b5732ac55d26311a706c9c2bde9940",
    ),
}  # fmt: skip


def _text(r: Random, alphabet: str, length: int) -> str:
    return "".join(r.choice(alphabet) for _ in range(length))


def _made(r: Random) -> Iterator[tuple[str, str]]:
    """One of every shape that needs random bodies."""
    sha1, sha256, sha512 = _text(r, _HEX, 40), _text(r, _HEX, 64), r.randbytes(64)
    ident = str(uuid.UUID(int=r.getrandbits(128), version=4))
    name = f"{r.choice(_VERBS)}_{r.choice(_NOUNS)}_{r.choice(_VERBS)}_{r.choice(_NOUNS)}"
    camel = "".join(part.title() for part in name.split("_"))
    yield "git-hash", f"commit {sha1}\nAuthor: Ann <ann@example.com>"
    yield "git-hash", f"Merged in {sha1[:12]}, reverts {sha1}"
    yield "digest", f"sha256:{sha256}"
    yield "digest", f"{sha256}  dist/app-{r.randint(1, 9)}.tar.gz"
    yield "digest", f"FROM python:3.12-slim@sha256:{sha256}"
    yield "digest", f'etag: "{sha1[:32]}"'
    yield "digest", f"md5sum {sha1[:32]} ok"
    yield "lockfile", f'"integrity": "sha512-{base64.b64encode(sha512).decode()}"'
    yield "lockfile", f'checksum = "{sha256}"'
    yield "lockfile", f'    {{ url = "https://files.example.org/{name}-1.0.whl", hash = "sha256:{sha256}" }},'
    yield "lockfile", f"h1:{base64.b64encode(sha512[:32]).decode()}"
    yield "uuid", f"request_id={ident}"
    yield "uuid", f'{{"id": "{ident}", "session_id": "{ident}"}}'
    yield "id", f"toolu_{_text(r, _ALNUM, 24)}"
    yield "id", f"toolu_01{_text(r, _ALNUM, 22)} returned in 120 ms"
    yield "id", f'"id": "msg_01{_text(r, _ALNUM, 22)}"'
    yield "id", f"call_{_text(r, _ALNUM, 24)}"
    yield "id", f"req_{_text(r, _ALNUM, 24)}"
    yield "id", f"chatcmpl-{_text(r, _ALNUM, 29)}"
    yield "id", f"ulid 01{_text(r, _CROCKFORD, 24)}"
    yield "id", f"cus_{_text(r, _ALNUM, 14)} pi_{_text(r, _ALNUM, 24)}"
    yield "id", f"arn:aws:iam::{r.randint(10**11, 10**12 - 1)}:role/deploy-{r.choice(_NOUNS)}"
    yield "id", f"i-0{_text(r, _HEX, 16)} running in vpc-{_text(r, _HEX, 8)}"
    yield "cache", f"key: linux-pip-{sha256}"
    yield "cache", f"cache-key: v{r.randint(1, 9)}-node-{sha1}"
    yield "image", f"data:image/png;base64,iVBORw0KGgo{_text(r, _ALNUM + '+/', 400)}=="
    yield "image", f'<img src="data:image/gif;base64,R0lGODlh{_text(r, _ALNUM + "+/", 200)}">'
    yield "public-key", f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{_text(r, _ALNUM + '+/', 43)} ann@laptop"
    yield "public-key", f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{_text(r, _ALNUM + '+/', 330)} ci"
    yield "public-key", _block(r, "CERTIFICATE")
    yield "public-key", _block(r, "PUBLIC KEY")
    yield "public-key", f"pk_live_{_text(r, _ALNUM, 24)} is the publishable key"
    yield "public-key", f"POSTHOG_KEY=phc_{_text(r, _ALNUM, 43)}"
    yield "public-key", f"STRIPE_PUBLISHABLE_KEY=pk_test_{_text(r, _ALNUM, 24)}"
    yield "public-key", f'{{"kty": "RSA", "use": "sig", "kid": "{sha1}", "n": "{_text(r, _ALNUM, 342)}", "e": "AQAB"}}'
    yield "public-key", f"WireGuard peer: {base64.b64encode(sha512[:32]).decode()}"
    yield "sealed", f"encryptedData:\n  password: Ag{_text(r, _ALNUM + '+/', 120)}"
    yield "sealed", f"password: ENC[AES256_GCM,data:{_text(r, _ALNUM, 16)}==,iv:{_text(r, _ALNUM, 43)}=,type:str]"
    yield "id", f"ITERM_SESSION_ID=w0t0p0:{ident.upper()}"
    yield "id", f"CLOUDFLARE_ACCOUNT_ID={sha1[:32]}"
    yield "id", f"tokenAddress: 0x{sha1}"
    yield "signature", f'"signature": "{base64.b64encode(r.randbytes(300)).decode()}"'
    yield "nonce", f"script-src 'nonce-{base64.b64encode(sha512[:16]).decode()}'"
    yield "cursor", f'"nextPageToken": "{base64.b64encode(sha512[:30]).decode()}"'
    yield "log", f"sshd[1234]: Accepted publickey for ann: ED25519 SHA256:{base64.b64encode(sha512[:32]).decode()[:43]}"
    yield "path", f"/nix/store/{_text(r, 'abcdfghijklmnpqrsvwxyz0123456789', 32)}-password-store-1.7.4"
    yield "path", f"/home/ann/.cache/hub/models--x/snapshots/{sha1}/tokenizer.json"
    yield "name", f"def test_{name}_keeps_order():"
    yield "name", f"class {camel}Factory(Abstract{camel}Builder):"
    yield "name", name.replace("_", "-") + f"-{r.randint(1, 9)}"
    yield "name", f"{name.upper()} = {r.randint(1, 5000)}"
    yield "log", f"2026-03-{r.randint(10, 28)}T10:{r.randint(10, 59)}:03.{r.randint(100, 999)}Z INFO {name} took 12ms"
    yield "log", f"GET /api/v1/{r.choice(_NOUNS)}/{ident}?page={r.randint(1, 9)} 200 {r.randint(100, 9999)}"
    yield "log", f"trace_id={sha1[:32]} span_id={sha1[:16]}"
    yield "base64", base64.b64encode(f"the {name} of the {camel} is done".encode()).decode()
    yield "url", f"https://cdn.example.com/assets/{name}.{sha1[:20]}.js"
    yield "url", f"https://example.com/{r.choice(_NOUNS)}/{ident}/edit#section-{r.randint(1, 40)}"
    yield "usage", f'"usage": {{"input_tokens": {r.randint(1, 9999)}, "output_tokens": {r.randint(1, 999)}}}'


def _block(r: Random, label: str) -> str:
    lines = [_text(r, _ALNUM + "+/", 64) for _ in range(6)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"])


def lookalikes(r: Random, *, rounds: int = 5) -> list[tuple[str, str]]:
    """(what it is, text), at least three hundred of them."""
    fixed = [(kind, text) for kind, texts in _FIXED.items() for text in texts]
    return fixed + [pair for _ in range(rounds) for pair in _made(r)]
