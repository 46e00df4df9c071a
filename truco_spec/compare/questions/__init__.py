"""Common questions about the games, answered for every variant from its graph: the table of all variants.

In: ``spec/questions.yaml`` and the graphs. Out: answers with their authorities. Begin with ``table``.
"""
