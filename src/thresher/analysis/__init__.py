"""What else a page says besides its content: metadata, obstacles, threads, notes, links."""
