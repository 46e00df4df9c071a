"""What all comparisons share: sides, scenarios, the walk over a game, which rules decided.

In: two graphs and a log. Out: statements that differ, where each is read, what it decided. Begin with ``sides``.
"""
