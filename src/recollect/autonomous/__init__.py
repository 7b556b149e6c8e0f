"""Autonomous memory: what a session left (raw memory), what a project knows (blocks), and the files that say so."""
