"""Sessions of any agent that was used through `recollect acp -- AGENT`."""
