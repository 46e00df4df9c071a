"""What everything else stands on, and nothing of Truco: errors, harmless text, safe paths and YAML, typed data, the
cache.

In: bytes, paths and text that nobody has vetted. Out: plain data with types, or one
:class:`~truco_spec.base.errors.TrucoError` with its place. Imports nothing of the package but itself. Begin with
``shapes`` (data to types) and ``safe_yaml``.
"""
