"""What several formats share: front matter, limits, the layout of what was written."""
