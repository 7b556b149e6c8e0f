"""How large a request the models people use may be, with where that is said. A provider's own word always wins."""

from __future__ import annotations

from recollect.context.counting import DEFAULT_LIMIT_TOKENS

# By how a model's name begins, the longest beginning first. What is left for the reply is not part of it.
# OpenAI: platform.openai.com/docs/models. Anthropic: docs.claude.com/en/docs/about-claude/models/overview.
# Google: ai.google.dev/gemini-api/docs/models. DeepSeek: api-docs.deepseek.com/quick_start/pricing.
# Mistral: docs.mistral.ai/getting-started/models. xAI: docs.x.ai/docs/models.
LIMITS = {
    "gpt-5": 272_000,  # 400,000 of context, of which 128,000 are for the reply
    "gpt-4.1": 1_047_576,
    "gpt-4o": 128_000,
    "gpt-4-turbo": 128_000,
    "gpt-4-32k": 32_768,
    "gpt-4": 8_192,
    "gpt-3.5-turbo": 16_385,
    "o1": 200_000,
    "o1-mini": 128_000,
    "o3": 200_000,
    "o4-mini": 200_000,
    "claude": 200_000,
    "claude-2.0": 100_000,
    "claude-instant": 100_000,
    "gemini-1.5-pro": 2_097_152,
    "gemini": 1_048_576,
    "gemini-1.0": 30_720,
    "deepseek": 128_000,
    "mistral-large": 128_000,
    "codestral": 256_000,
    "grok-4": 256_000,
    "grok-3": 131_072,
}
_LONGEST_FIRST = sorted(LIMITS, key=len, reverse=True)


def known_limit(model: str) -> int:
    """The limit of a model by its name, with or without its provider in front; the default when nobody knows it."""
    bare = model.lower().rpartition("/")[2]
    return next((LIMITS[start] for start in _LONGEST_FIRST if bare.startswith(start)), DEFAULT_LIMIT_TOKENS)
