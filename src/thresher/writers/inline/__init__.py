"""Inline elements in Markdown and in plain text."""
