"""Thresher: HTML in, the content a reader came for out, with the evidence."""

__version__ = "0.1.0"
