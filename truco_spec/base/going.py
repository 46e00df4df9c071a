"""What will go: names that still work, and warn, for one version (docs/stability.md)."""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, str] = {}
"""Of :mod:`truco_spec`: the old name, and the one to use instead. The old one raises a DeprecationWarning."""
VERBS: Mapping[str, str] = {}
"""Of ``truco-spec``: the old verb, and the one to use instead. The old one writes a line to the standard error."""


def message(old: str, new: str) -> str:
    """What is said of a name that will go."""
    return f"“{old}” will go with the next version: use “{new}”."
