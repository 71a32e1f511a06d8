"""Formulas in pages: found, read as TeX, and written."""
