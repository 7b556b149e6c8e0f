"""The MCP server: the official SDK at the edge, the synchronous core behind it."""
