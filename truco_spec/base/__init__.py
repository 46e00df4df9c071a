"""Foundations without any Truco: errors, sanitised text, safe paths and YAML, typed data, the user cache.

In: unvetted bytes, paths and text. Out: typed plain data, or one :class:`~truco_spec.base.errors.TrucoError` with its
place. Imports nothing else of the package. Begin with ``shapes`` (data to types) and ``safe_yaml``.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which is needed for nothing else
if TYPE_CHECKING:
    from collections.abc import Mapping

__version__ = "1.0.0rc1"
"""The version of the package. The corpus is versioned separately."""

GOING_NAMES: Mapping[str, str] = {}
"""Names of :mod:`truco_spec` that will go with the next version (docs/stability.md), and what to use instead: the old
name raises a DeprecationWarning.
"""
GOING_VERBS: Mapping[str, str] = {}
"""The same for verbs: the old one writes a warning to standard error."""


def going(old: str, new: str) -> str:
    """Return the warning about a deprecated name."""
    return f"“{old}” will go with the next version: use “{new}”."
