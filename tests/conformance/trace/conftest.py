"""What tests of traceability spoil."""

from __future__ import annotations

from pathlib import Path

import pytest
from wall import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)
