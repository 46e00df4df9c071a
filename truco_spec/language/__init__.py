"""The language: text to tree, with places, mistakes told in words, and a formatter.

The way in is :func:`truco_spec.language.read.read` (of a text) and :func:`truco_spec.language.read.read_file`.
"""
