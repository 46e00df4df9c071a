"""What a clause says, by its full name."""

from __future__ import annotations

from truco_spec.graph.sources import UnknownSource, registry
from truco_spec.safe_yaml import YamlError


def text_of(name: str) -> str | None:
    """The text of the clause ``source:id``, the question of the gap or the values of the option; None if not known."""
    source, _, cite = name.partition(":")
    try:
        found = registry(source)
        if cite in found.clauses:
            return found.clauses[cite].text
        if cite in found.gaps:
            return found.gaps[cite].question
        if cite in found.options:
            return f"A switch: {', '.join(found.options[cite].values)}."
    except (UnknownSource, YamlError):
        return None
    return None
