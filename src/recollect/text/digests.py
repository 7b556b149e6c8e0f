"""SHA-256 without OpenSSL, whose loading takes longer than all that is hashed when a command starts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256  # before Python 3.12
        except ImportError:
            from hashlib import sha256


def sha256_hex(data: bytes) -> str:
    """The digest as hexadecimal digits."""
    return sha256(data).hexdigest()
