"""The service: HTTP API, panel and MCP on one port."""
