"""What a clause says, by its full name."""

from __future__ import annotations


def text_of(name: str) -> str | None:
    """The text of the clause ``source:id``, the question of the gap or the values of the option; None if not known."""
    from truco_spec.graph.sources import UnknownSource, registry  # most runs have nothing to tell of clauses
    from truco_spec.safe_yaml import YamlError

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
