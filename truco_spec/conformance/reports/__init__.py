"""Reports of a run: one stream of events, and renderers that know nothing else; each is imported when it is used.

In: the events of a run, live or kept as JSON lines. Out: terminal, page, Markdown, JUnit, TAP, badge, comparison.
Begin with ``events``, then ``formats``.
"""
