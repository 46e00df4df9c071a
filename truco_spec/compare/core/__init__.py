"""Shared by all comparisons: sides, scenarios, the walk over a game, provenance.

In: two graphs and a log. Out: statements that differ, where each is read, what it decided. Begin with ``sides``.
"""
