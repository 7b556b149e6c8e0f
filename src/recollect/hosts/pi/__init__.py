"""pi and oh-my-pi."""
