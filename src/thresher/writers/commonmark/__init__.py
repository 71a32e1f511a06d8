"""Rendering of a stream of events as Markdown: CommonMark with the tables of GFM."""
