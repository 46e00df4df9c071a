"""The graph as a program: one Python module of small functions over a flat position.

In: a :class:`~truco_spec.graph.model.Graph`, specialised. Out: a :class:`~truco_spec.engine.compile.program.Program`,
which :mod:`truco_spec.engine.game` plays. ``facts`` finds what is constant, ``write`` and its neighbours write the
code. Begin with ``program``.
"""
