"""Which positions of phases can be reached: a fixpoint over what the rules set.

In: a graph and the abstract evaluation beside it. Out: for each place of the game, what may hold there
(:class:`~truco_spec.checks.reach.study.Study`). Begin with ``study``.
"""
