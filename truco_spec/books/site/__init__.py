"""The site: books, clauses, cases with replays, graphs and a search, as static pages that need no network.

In: everything that is shipped. Out: a folder of pages; only what changed is made anew. Begin with ``pages``, then
``build``.
"""
