"""Cline and its kin Roo."""
