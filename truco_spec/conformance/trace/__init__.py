"""Traceability: the rules and cases that follow from each clause of a source, and missing links.

In: the registry of clauses, all graphs, all cases. Out: the matrix of ``truco-spec trace``. Begin with ``trace``.
"""
