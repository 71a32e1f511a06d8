"""Full-text feeds: each item of a feed with the content of the page that it leads to.

reading    a feed's bytes → its items, and back, with all that is in it, mended
filling    pages are fetched, extracted and kept in a cache
"""
