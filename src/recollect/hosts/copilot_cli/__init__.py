"""GitHub Copilot CLI."""
