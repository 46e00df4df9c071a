"""Foundations without any Truco: errors, sanitised text, safe paths and YAML, typed data, the user cache.

In: unvetted bytes, paths and text. Out: typed plain data, or one :class:`~truco_spec.base.errors.TrucoError` with its
place. Imports nothing else of the package. Begin with ``shapes`` (data to types) and ``safe_yaml``.
"""

__version__ = "1.0.0rc1"
"""The version of the package. The corpus is versioned separately."""
