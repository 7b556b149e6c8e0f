"""Models by role. A provider answers one prompt, whole or not at all. Nothing here calls a vendor yet."""
