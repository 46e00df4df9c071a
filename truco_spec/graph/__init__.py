"""Trees to the rule graph: linked, typed, and desugared to a small core.

In: the trees of :mod:`truco_spec.language`. Out: a frozen :class:`~truco_spec.graph.model.Graph`, the only input of
engine, checks and books. ``linking`` builds it, ``desugar`` rewrites the convenient constructs, ``walk`` and ``fold``
traverse it. Begin with ``model``, then ``load``.
"""
