"""Layout of the kept part of a page: structure, paragraphs, headings, lists, tables."""
