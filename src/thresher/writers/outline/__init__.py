"""How the kept part of a page is laid out: structure, paragraphs, headings, lists, tables."""
