"""Autonomous memory: extraction for each session, consolidation for each project, and the artifacts they make."""
