"""Histories that SpecStory wrote for other hosts."""
