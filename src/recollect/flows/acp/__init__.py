"""In front of an agent that speaks the Agent Client Protocol: what its prompts get, and what its sessions leave."""
