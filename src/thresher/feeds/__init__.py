"""Full-text feeds: each item of a feed with the content of the page that it leads to.

reading    a feed's bytes → its items, by turbohtml's parser for RSS, Atom and RDF
filling    pages are fetched, extracted and kept in a cache
writing    the feed as RSS 2.0
"""
