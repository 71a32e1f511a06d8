"""General helpers that any room may use, and that know nothing of pages."""
