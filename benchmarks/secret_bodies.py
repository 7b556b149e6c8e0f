"""What random values are made of: alphabets, lengths and starts. Nothing here is a secret."""

from __future__ import annotations

import base64
import json
import string
import uuid
from collections.abc import Callable
from random import Random

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = string.digits + "abcdef"
URLSAFE = ALNUM + "_-"
BASE64 = ALNUM + "+/"
BASE32 = string.ascii_uppercase + "234567"

Make = Callable[[Random], str]


def body(length: int, alphabet: str = ALNUM) -> Make:
    return lambda r: "".join(r.choice(alphabet) for _ in range(length))


def after(prefix: str, length: int, alphabet: str = ALNUM, end: str = "") -> Make:
    return lambda r: prefix + body(length, alphabet)(r) + end


def uuid4(r: Random) -> str:
    return str(uuid.UUID(int=r.getrandbits(128), version=4))


def digits(r: Random, length: int) -> str:
    return str(r.randint(1, 9)) + body(length - 1, string.digits)(r)


def segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
