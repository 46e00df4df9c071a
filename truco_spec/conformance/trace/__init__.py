"""Which rule and which case follows from which clause of a source, and what is missing.

In: the registry of clauses, all graphs, all cases. Out: the matrix of ``truco-spec trace``. Begin with ``trace``.
"""
