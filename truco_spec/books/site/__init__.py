"""The site: books, clauses, cases with replays, graphs and a search, as static pages that need no network.

In: all shipped data. Out: a folder of pages, rebuilt incrementally. Begin with ``pages``, then ``incremental``.
"""
