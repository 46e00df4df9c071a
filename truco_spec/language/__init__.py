"""The language: text to a tree with source positions, diagnostics, and a formatter.

The entry points are :func:`truco_spec.language.read.read` (of a text) and :func:`truco_spec.language.read.read_file`.
"""
