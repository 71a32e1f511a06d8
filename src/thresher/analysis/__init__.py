"""Analysis of a page besides its content: metadata, obstacles, threads, footnotes, links."""
