"""The coding agents Recollect reads: one folder each."""
