"""Parts of pages: the table and its cards, the moments of a log, the frame of an HTML page, drawings of graphs.

In: a replay or a graph. Out: self-contained HTML through Jinja2 templates that escape what they show; PDF through a
browser. Begin with ``moments`` (what is shown of a log) and ``html`` (how).
"""
