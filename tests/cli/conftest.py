"""What the tests of verbs share: the command line, run in this process."""

import io

import pytest

from truco_spec.cli import main


@pytest.fixture
def ends(capsys, monkeypatch):
    """Run the command line: its status, and what it printed on both streams."""

    def run(*arguments, text=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        with pytest.raises(SystemExit) as end:
            main(arguments)
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return end.value.code, told.out, told.err

    return run
