"""Program code in pages: its exact text and its language."""
