"""Building blocks of pages: the table and its cards, the moments of a log, the HTML frame, drawings of graphs.

In: a replay or a graph. Out: self-contained HTML through Jinja2 templates with autoescaping.
Begin with ``moments`` (the data) and ``html`` (the rendering).
"""
