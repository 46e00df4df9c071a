"""What all tests share: property tests that answer the same on every machine; the files that take long begin first."""

import gc
import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import browser, one_browser  # noqa: F401 -- fixtures
from hypothesis import HealthCheck, settings
from talk import editor, house_folder  # noqa: F401 -- fixtures

from truco_spec.base.project import VARIABLE

settings.register_profile("here", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", parent=settings.get_profile("here"), max_examples=250)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "here"))

os.environ["LC_ALL"] = "C.UTF-8"  # messages are in the language of the locale
os.environ.pop("TRUCO_SPEC_LANG", None)

gc.set_threshold(200_000, 50, 100)  # as the command line does; else a fifth of a run is garbage collection

HERE = Path(__file__).parent
FIRST = (
    "test_wheel.py",
    "engine/test_checking.py",
    "engine/test_lockstep.py",
    "logs/test_hostile.py",
    "docs/test_house_rules_md.py",
    "test_readme.py",
    "site/test_site.py",
    "engine/test_whole_games.py",
    "docs/test_variants_md.py",
    "conformance/test_fuzz.py",
    "rulebook/test_render.py",
    "language/test_read.py",
    "engine/test_agreement.py",
    "differences/test_logs.py",
    "conformance/test_misbehaviour.py",
    "conformance/test_cutting.py",
    "conformance/reports/test_rendered_again.py",
    "graph/test_hostile_specs.py",
    "conformance/test_processes.py",
)
"""The files that take longest. With a file for each process at a time, one that is begun last has all others wait."""


@pytest.fixture(autouse=True)
def no_project_is_left_open() -> Iterator[None]:
    """A verb that is called within a test opens a project for the rest of the process."""
    os.environ.pop(VARIABLE, None)
    yield
    os.environ.pop(VARIABLE, None)


@pytest.fixture
def hearing() -> Iterator[None]:
    """Signals are heard here and in what is started, also where the run itself is deaf to them (``nohup``, ``&``)."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def inner_pytest(request, monkeypatch):
    """A pytester whose runs within this process leave its signal handlers alone: pytest ends with
    ``faulthandler.disable()``, which also removes those of WebAssembly's runtime; the next trap would kill the process.
    """
    pytester = request.getfixturevalue("pytester")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:faulthandler")
    return pytester


@pytest.fixture
def ends(capsys, monkeypatch):
    """Run the command line: its status, and what it printed on both streams."""
    from truco_spec.cli import main

    def run(*arguments, text=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        with pytest.raises(SystemExit) as end:
            main(arguments)
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return end.value.code, told.out, told.err

    return run


def pytest_configure(config: pytest.Config) -> None:
    """Files are begun in the order in which they stand; else pytest-xdist begins with those of most tests."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)  # before -m chooses among the items
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _mark_outside_samples(items)
    rank = {HERE / name: at for at, name in enumerate(FIRST)}
    items.sort(key=lambda item: rank.get(item.path, len(rank)))


def _mark_outside_samples(items: list[pytest.Item]) -> None:
    """Sort the parameters of tests marked ``sample(ordinary, long=n)``.

    `ordinary` of them, evenly spread, run ordinarily, `n` others (or all others) with the long tests, and the rest is a
    campaign.
    """
    sampled: dict[object, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            sampled.setdefault((item.path, getattr(item, "originalname", item.name)), []).append(item)
    for group in sampled.values():
        mark = group[0].get_closest_marker("sample")
        assert mark is not None  # it is sampled
        (count,) = mark.args
        ordinary = _spread([item for item in group if not item.get_closest_marker("long")], count)
        rest = [item for item in group if item not in ordinary]
        often = _spread(rest, mark.kwargs.get("long", len(rest)))
        for item in rest:
            item.add_marker(pytest.mark.long if item in often else pytest.mark.campaign)


def _spread(group: list[pytest.Item], count: int) -> list[pytest.Item]:
    count = min(count, len(group))
    return [group[at * len(group) // count] for at in range(count)]
