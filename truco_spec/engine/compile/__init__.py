"""Compiles the graph to one Python module of small functions over a flat position.

In: a :class:`~truco_spec.graph.model.Graph`, specialised. Out: a :class:`~truco_spec.engine.compile.program.Program`,
played by :mod:`truco_spec.engine.game`. ``facts`` is the static analysis, ``write`` and its neighbours generate the
code. Begin with ``program``.
"""
