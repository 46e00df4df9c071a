"""Fuzzing with random hands: generated, judged, shrunk by delta debugging, written as cases.

In: an implementation and a seed. Out: findings, each the shortest script that still fails for the same cause. Begin
with ``fuzz``.
"""
