"""Shared by all comparisons: sides, scenarios and the results of their moves, random hands, provenance.

In: two graphs and a log. Out: statements that differ, where each is read, what it decided. Begin with ``scenario``.
"""
