"""The file of expected failures on the command line: read before a run, written after one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.cli.common.file_access import FileError, must_be_writable, write_text

if TYPE_CHECKING:
    from truco_spec.conformance.corpus.cases import Case
    from truco_spec.conformance.reports.events import Run
    from truco_spec.conformance.runner.expected import Expectations

expected_option = click.option(
    "--expected", metavar="FILE", help="Failures that are known and expected, with their reasons (YAML)."
)
write_option = click.option(
    "--write-expected", "to_write", metavar="FILE",
    help="Write such a file of what failed; the reasons are left to you. With --expected its entries are kept.",
)  # fmt: skip


def read(path: str | None, cases: Sequence[Case]) -> Expectations:
    """The expectations for these cases as of today; empty without a file."""
    from truco_spec.conformance.corpus import corpus
    from truco_spec.conformance.runner import expected

    if path is None:
        return expected.NOTHING
    return expected.load(path, [*cases, *corpus.load()], datetime.now(UTC).date())


def must_be_free(path: str, expected: str | None) -> None:
    """Check before the run that the file can be written. Written reasons are not overwritten, unless the file is the
    one that was read. Raises :class:`FileError`.
    """
    must_be_writable(path)
    if Path(path).is_file() and (expected is None or Path(path).resolve() != Path(expected).resolve()):
        raise FileError(
            f"{path}: error: This file is there already. Give --expected {path} too, and its entries are kept; or "
            "write to another file."
        )


def write(path: str, run: Run, expectations: Expectations) -> None:
    """Write the failures and the expectations still valid. Raises :class:`FileError`."""
    from truco_spec.conformance.runner.expected import renewed, text_of

    write_text(path, text_of(run.title, *renewed(expectations, run.cases)))
