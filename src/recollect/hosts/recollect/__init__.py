"""Recollect's own sessions, as a host among the others."""
