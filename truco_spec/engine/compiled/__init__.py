"""The first body of a graph: Python, which also explains. In: a linked graph. Out: the functions that play it.

Begin with ``program``; ``write`` makes the text of the module, ``patch`` that of a small change of another.
"""
