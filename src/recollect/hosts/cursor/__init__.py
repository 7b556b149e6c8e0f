"""Cursor: its editor and its command line."""
