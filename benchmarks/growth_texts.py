"""Texts that are hard on rules, each of any length."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

# What rules look for, each repeated to the length that is asked for.
FRAGMENTS = (
    # one character
    "a", "A", "0", ".", "-", "_", "=", ":", "/", "\\", '"', "'", "`", "(", "[", "{", "<", ">", "|", ",", ";",
    "!", "?", "@", "#", "$", "%", "&", "*", "+", "~", " ", "\t", "\n", "\r\n", "é", "е", "中", "が", "한", "가",
    "ا", "😀", "\x00",
    # nobody sees these
    "\u200b", "\u200d", "\xad", "\ufe0f", "\u034f", "\u3164", "\u202e", "\U000e0041", "\U000e0101", "a\u200d",
    "\u200da ", "\u2764\ufe0f\u200d", "\u0301", "e\u0301", "\x1b[0m", "\x1b[", "\u0130",
    # brackets and quotes, opened, closed, nested
    "()", ")(", "[](", "{}", "<>", "<a>", "</a>", "<a", "<memory-context>", "</memory-context>",
    "<memory-context ", "<think>", "<thinking>", "</think>", "```", "```\n", "`a`", "“", "”", "“a”", '"a"',
    '"a', "'a'", '\\"', "<!--", "**", "__", "_a", "_a ", "a_", "(a", "a)", "$(", "${", "{{", "[[", "]]", "*/",
    "/*", "~~~\n",
    # words of the rules for secrets
    "password=", "password: ", "password ", "password is ", "password for ", "password for a ", 'password="',
    "password='", "password=a", "password = \n", "pass", "passw", "key", "key=", "key:", "key: {", "api_key=",
    "_key", "key-", "token", "token ", "token:\n", "secret", "secret: |\n  ", "secret>", "<secret>", "auth",
    "auth=(", "auth: ", "authorization: ", "authorization: bearer ", "bearer ", "basic ", "cookie: ",
    "cookie=a;", "session=", "sessionid", "sessid=", "credentials ", "login ", "logged in ", "login: a / ",
    "mysql -p", "mysql -u a ", "curl -u ", "curl -u a:", " -u", " -p", " -u a -p ", "echo a | ", "http -a ",
    "sshpass -p ", "zip -P ", "docker login ", "htpasswd -b ", "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "-----BEGIN RSA ", "---- BEGIN ",
    "Private-Lines: 1\n", "://", "://a", "://a:", "a:b@", "http://", "https://a", "@", "@a.b", "@a.b:",
    "a@b.c ", "a@b.c:", "@1.2.3.4", ":5432:", ":*:", "a:5432:a:a:", "*:*:*:*:", "a:1:", ":$",
    "identified by ", "IDENTIFIED BY ", 'dentified by "', "@tcp(", "a:a@tcp(", "net use ",
    "insert into a (password) values ", "insert into a (password) values ('a')", "('a'),", "data:\n",
    "data:\n a\n", "kind: Secret\n", "| password |\n", "|-", "|--|\n", "| password |\n|---|\n",
    "a,password\n", "\n--", 'name="', "name: a\nvalue: ", "value: ", "value=", "<a b>", "<name>a</name>",
    'variable "a" {', "form-data; name=a\n\n", "mnemonic: ", "mnemonic abc ", "seed phrase: ", "abc ",
    "contraseña: ", "пароль: ", "パスワード", "kennwort ", "sig=", "?sig=", "define(", "AUTH_KEY', '", "ghp_",
    "ghp_a", "sk-", "sk-a", "eyJ", "eyJ.", "AKIA", "glc_", "fm2_", ".atlasv1.", "Q~", "AZDO", "-us", "!",
    "xoxb-", "a.b.", "aB3", "aB3-", "aB3_", "aB3/", "aB3+", "AAAA", "0123456789abcdef", "deadbeef", "MII",
    "hooks.slack.com/", "/api/webhooks/", "LS0tLS1CRUdJTi", "otpauth://", "dev.azure.com", "mc alias set ",
    '"d":"', "encryptedData", "key: Ag", "[redacted:", "[redacted:password]", "password=[redacted:password]",
    "U0VDUkVU", "UEFTU1dPUkQ9", "cGFzc3dvcmQ9",
    # words of the rules for language
    "no, ", "no ", "not ", "never ", "don't ", "yes, ", "actually, ", "and ", "or ", "but ", "if ", "if we ",
    "when you ", "so that ", "that ", "use ", "use a ", "always ", "we use ", "we use a, ", "use a not b ",
    "instead of ", "instead of a ", "rather than ", "the ", "the a of ", "is ", "is it ", "is a ", "are ",
    "was ", "please ", "please, ",
    "not used any more ", "must never ", "all a are ",
    "a, ", "a; ", "a. ", "a? ", "a! ", "a: ", "a\n", "a\n\n", "- a\n", "- ",
    "# a\n", "> ", "> a\n", "1. ", "1, ", "1,000", "1.0.", "v1 ", "a b ", "A b. ", "A ", "Ab", "aB", "a-",
    "a.", "a/", "a:", "a'", "a-b ", "a/b/", "./", "../", "--", "--a ", "a=b ", "a@", "a+", "a#", "e.g. ",
    "etc. ", "i think ", "maybe ", "because ", "because a ", "remember that ", "forget ", "from now on ",
    "next time ", "in this project ", "pnpm ", "pnpm, ", "pnpm not npm ", "not npm but ", "to ", "to a ",
    "for ", "with ", "in ", "of ", "it ", "it's ", "i ", "you ", "we ", "can you ", "do ", "do not ",
    "let's ", "yesterday ", "last week ", "monday ", "2024-01-01 ", "january 1 ", "3 days ago ", "より", "ではなく",
    "を使う。", "です。", "使用", "不要", "、", "。", "ー", "は", "에서 ", "을 ", "recall ", "did we ", "what did we ",
    "last time ", "System: ", "Human: ", "user: ", "<user_query>", "</user_query>", "@a ", "/a ", "a://",
    "file.py ", "file.py:1 ", "src/a.py#b ", "== ", "=> ", "-> ", "<= ", ">= 1", "!= ", "&& ", "|| ",
)  # fmt: skip
# What a few fragments are put into, so that both ends of a rule are there.
FRAMES = ("({}", '"{}"', "<a>{}</a>", "use {} not {}")
FRAMED = ("a ", "(", "no, ", "a, ", "password=", "_a ", "\u200d", "<a>", '"', "and ")


def texts() -> Iterator[tuple[str, Callable[[int], str]]]:
    """Kinds of text, each with what makes one of about a length."""
    for fragment in dict.fromkeys(FRAGMENTS):
        yield ascii(fragment), _repeated("{}", fragment)
    for frame, fragment in itertools.product(FRAMES, FRAMED):
        yield frame.replace("{}", f"{fragment!a}*n"), _repeated(frame, fragment)
    for opening, closing in ("()", "[]", "{}", "<>", "“”"):
        yield f"{opening}*n {closing}*n", _nested(opening, closing)


def _repeated(frame: str, fragment: str) -> Callable[[int], str]:
    times = len(fragment) * frame.count("{}")
    return lambda length: frame.replace("{}", fragment * (length // times + 1))


def _nested(opening: str, closing: str) -> Callable[[int], str]:
    return lambda length: opening * (length // 2) + "a" + closing * (length // 2)
