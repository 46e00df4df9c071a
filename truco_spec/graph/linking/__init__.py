"""Trees to graph: names found, types worked out, rules and tables built.

In: the blocks of a variant in order of inheritance, from :mod:`truco_spec.graph.link`. Out: a
:class:`~truco_spec.graph.model.Graph`, or every mistake at once. Begin with ``build``.
"""
