"""From trees to the rule graph: linked, typed, desugared to a few core things.

In: the trees of :mod:`truco_spec.language`. Out: a frozen :class:`~truco_spec.graph.model.Graph`, the only thing that
engine, checks and books read. ``linking`` builds it, ``desugar`` rewrites the convenient constructs, ``walk``,
``fold`` and ``specialise`` go over it. Begin with ``model``, then ``load``.
"""
