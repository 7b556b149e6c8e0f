"""How large a request the models people use may be, with where that is said. A provider's own word always wins."""

from __future__ import annotations

from recollect.context.counting import DEFAULT_LIMIT_TOKENS

_CODEX = "openai/codex codex-rs/core/src/openai_model_info.rs, which cites platform.openai.com/docs/models"
_ARENA = "huggingface.co/spaces/SE-Arena/Software-Engineering-Arena context_window.json"
_GOOGLE = "ai.google.dev/gemini-api/docs/models/gemini-2.0-flash"
_VERTEX = "docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/2-5-pro"
_LLAMAINDEX = "developers.llamaindex.ai ALL_AVAILABLE_ANTHROPIC_LEGACY_MODELS"
_NUTRIENT = "nutrient.io/api/xtractflow OpenAILargeLanguageModel"

# By how a model's name begins, the longest beginning first: the tokens of a request, without what is left for the reply
# where the source parts the two, and where that is said. Where later models of a name take more, the least counts.
LIMITS = {
    "gpt-5": (272_000, _CODEX),
    "gpt-4.1": (1_047_576, _CODEX),
    "gpt-4o": (128_000, _CODEX),
    "gpt-4-turbo": (128_000, _ARENA),
    "gpt-4-32k": (32_768, _NUTRIENT),
    "gpt-4": (8_192, _NUTRIENT),
    "gpt-3.5-turbo": (16_385, _CODEX),
    "o1-mini": (128_000, _ARENA),
    "o1": (128_000, _ARENA),
    "o3": (200_000, _CODEX),
    "o4-mini": (200_000, _CODEX),
    "claude": (200_000, "docs.uipath.com/autopilot supported-models-and-limits; " + _LLAMAINDEX),
    "claude-2.0": (100_000, _LLAMAINDEX),
    "claude-instant": (100_000, _LLAMAINDEX),
    "gemini-1.5-pro": (2_097_152, _ARENA),
    "gemini-1.5-flash": (1_048_576, _ARENA),
    "gemini-2.0": (1_048_576, _GOOGLE),
    "gemini-2.5": (1_048_576, _VERTEX),
    "gemini-3-pro-preview": (1_048_576, "ai.google.dev/gemini-api/docs/models/gemini-3-pro-preview"),
    "gemini-3.1-pro": (1_048_576, "ai.google.dev/gemini-api/docs/models/gemini-3.1-pro-preview"),
    "deepseek-chat": (128_000, "RooCodeInc/Roo-Code packages/types/src/providers/deepseek.ts"),
    "deepseek-reasoner": (128_000, "RooCodeInc/Roo-Code packages/types/src/providers/deepseek.ts"),
    "mistral-large": (128_000, "ollama.com/library/mistral-large"),
    "grok-4": (256_000, "openrouter.ai/x-ai/grok-4"),
    "grok-3": (131_000, "docs.docker.com/ai/docker-agent/providers/xai"),
}
_LONGEST_FIRST = sorted(LIMITS, key=len, reverse=True)


def known_limit(model: str) -> int:
    """The limit of a model by its name, with or without its provider in front; the default when nobody knows it."""
    bare = model.lower().rpartition("/")[2]
    return next((LIMITS[start][0] for start in _LONGEST_FIRST if bare.startswith(start)), DEFAULT_LIMIT_TOKENS)
