"""Explanation of an extraction: the evidence for each block, as data and as a report."""
