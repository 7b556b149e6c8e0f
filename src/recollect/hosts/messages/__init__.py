"""Plain message lists in the shapes of OpenAI and Anthropic."""
