"""Statements of SQL under names, one module a family of tables. What is composed is composed here; values are bound by
the modules that use them."""
