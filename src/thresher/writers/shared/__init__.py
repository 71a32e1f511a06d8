"""Parts shared by several formats: front matter, limits, output layout."""
