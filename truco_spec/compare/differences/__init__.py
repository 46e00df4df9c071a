"""The differences of two variants: statement by statement, each with the shortest log that shows it in play.

In: two :class:`~truco_spec.compare.core.scenario.Side`. Out: differences with a witness or a proof that there is none.
Begin with ``diff_report``, then ``witness_search``.
"""
