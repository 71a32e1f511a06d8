"""Drop-in replacements for other extractors: the same calls and results, from Thresher's engine.

    from thresher.compat import trafilatura          # extract, bare_extraction, …
    from thresher.compat.readability import Document  # readability-lxml's

docs/compat.md lists the arguments and what differs.
"""
