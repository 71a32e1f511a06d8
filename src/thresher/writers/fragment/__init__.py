"""The kept part of a page as clean HTML, which HTML and Markdown are written from."""
