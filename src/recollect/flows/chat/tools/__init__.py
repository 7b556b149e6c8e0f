"""One module a kind of tool; each offers `TOOLS`, or `tools(...)` where they depend on what is here."""
