"""Reachability: fixpoints over what the rules set.

In: a graph and its abstract interpretation. Out: the invariants of each phase stack
(:class:`~truco_spec.checks.reach.study.Study`). Begin with ``study``.
"""
