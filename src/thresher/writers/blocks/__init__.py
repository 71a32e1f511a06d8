"""Block-level elements made fit for Markdown."""
