"""The tests as a whole: what takes long begins first."""

from pathlib import Path

import conftest


def test_the_files_that_begin_first_are_there() -> None:
    assert len(set(conftest.FIRST)) == len(conftest.FIRST)
    assert [name for name in conftest.FIRST if not (Path(__file__).parent / name).is_file()] == []
