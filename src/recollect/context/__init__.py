"""Keeping a long conversation inside its window: messages, counting, compaction, truncation. Usable without the rest."""
