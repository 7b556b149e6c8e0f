"""VS Code's chat."""
