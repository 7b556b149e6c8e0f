"""Models: whoever answers one prompt, whole or not at all. `choosing` makes a provider from what the settings name, and
`guarding` is around every one of them; nothing else calls a model."""
