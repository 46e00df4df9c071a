"""Disputes: one log under many agreements; where they part, why, and under which of them a claim is right.

In: a log, the agreements that it may have been played under, a claim. Out: an
:class:`~truco_spec.compare.disputes.answer.DisputeAnswer` with rules and authorities. Begin with ``settle``.
"""
