"""Trees to graph: resolves names, infers types, builds rules and tables.

In: the blocks of a variant in order of inheritance, from :mod:`truco_spec.graph.link`. Out: a
:class:`~truco_spec.graph.model.Graph`, or every error at once. Begin with ``build``.
"""
