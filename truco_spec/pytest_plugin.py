"""The options of the pytest plugin. All that they need is imported when one of them is given (docs/pytest.md)."""

from __future__ import annotations

import pytest

_MARKERS = (
    "truco_case: a case of the conformance corpus of truco-spec",
    "truco_must: a case of level must (a source says so)",
    "truco_decided: a case of level decided (truco-spec reads its sources so)",
    "truco_option: a case of level option (it holds under an option)",
    "truco_clause(id): the clause that a case tests, as source:id",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("truco-spec", "conformance cases of truco-spec (docs/pytest.md)")
    group.addoption("--truco-adapter", metavar="MODULE:CLASS", help="Judge this class, asked in this process.")
    group.addoption("--truco-command", metavar="CMD", help="Judge this command, asked over a pipe.")
    group.addoption(
        "--truco-variant", metavar="NAME", action="append", default=[], help="Only cases of this variant (repeatable)."
    )
    group.addoption(
        "--truco-cases", metavar="PATH", action="append", default=[],
        help="File or folder of cases, instead of the corpus (repeatable).",
    )  # fmt: skip
    group.addoption(
        "--truco-expected", metavar="FILE", help="Failures that are known and expected, with their reasons (YAML)."
    )
    group.addoption("--truco-timeout", metavar="S", type=float, help="Seconds for each answer (default: 5).")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers; and, if any option is given, what makes tests of cases."""
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    names = ("truco_adapter", "truco_command", "truco_variant", "truco_cases", "truco_expected", "truco_timeout")
    if any(config.getoption(name) not in (None, []) for name in names):
        from truco_spec.conformance.pytest_cases import Cases

        config.pluginmanager.register(Cases(config), "truco-spec cases")
