"""The language: text to a tree with source positions, diagnostics, and a formatter.

In: the text of a ``.truco`` file. Out: its ``tree``, or every mistake with its place and a hint; or the text in its one
layout. Begin with ``read``.
"""
