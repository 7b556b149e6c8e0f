"""Statements on home_values."""

from __future__ import annotations

# A small fact by its name.
GET = "SELECT value FROM home_values WHERE name = ?"
# The small facts whose names lie between two texts.
UNDER = "SELECT name, value FROM home_values WHERE name >= ? AND name < ? ORDER BY name"
# Keep a small fact, in place of what was known under its name.
SET = """
INSERT INTO home_values (name, value) VALUES (?, ?)
ON CONFLICT (name, tenant) DO UPDATE SET value = excluded.value"""
# Add to a small fact that is a number.
ADD_TO = """
INSERT INTO home_values (name, value) VALUES (?, ?)
ON CONFLICT (name, tenant) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + ? AS TEXT)"""
# Forget a small fact.
DELETE = "DELETE FROM home_values WHERE name = ?"
