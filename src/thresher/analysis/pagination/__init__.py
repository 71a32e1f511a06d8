"""Pagination: the address of the next page of an article, thread or list."""
