"""Abstract interpretation of expressions, and exact search where it is not enough.

In: conditions over the data of a graph. Out: *never*, *always*, a position as witness, or *open* with the reason.
``domains`` and ``meaning`` evaluate, ``frame`` and ``search`` enumerate. Begin with ``positions``.
"""
