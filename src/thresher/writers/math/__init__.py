"""Formulas: detection, conversion to TeX, and output."""
