"""Extraction tools for agents, with text in and out, and an MCP server that offers them."""
