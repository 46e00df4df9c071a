"""Random hands against an implementation: generated, judged, shrunk by delta debugging, told as cases.

In: an implementation and a seed. Out: findings, each the shortest script that still fails for the same cause. Begin
with ``fuzz``.
"""
