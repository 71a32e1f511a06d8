"""The kept part of a page as clean HTML, the basis of HTML and Markdown output."""
