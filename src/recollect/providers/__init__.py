"""Models by role. A provider answers one prompt or raises ProviderError. Nothing here calls a vendor yet."""
