"""Sends scripts to an implementation and compares its answers with the expectations of cases.

In: the chosen instances and a way to ask. Out: a stream of :class:`~truco_spec.conformance.runner.runner.Result`.
Begin with ``runner``, then ``judge``.
"""
