"""Adaptation of block-level elements to Markdown."""
