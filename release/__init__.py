"""Generators run before a release and checked in CI: catalogs of translations, digests of the corpus, its scripts, JSON
Schemas, the manual page, the reference of Python.

In: the types and data of the package. Out: files of the checkout. Each module is a command, run in a checkout:
``python -m release.schemas``.
"""
