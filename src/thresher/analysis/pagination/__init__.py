"""Where an article, a thread or a list goes on: the address of the next page."""
