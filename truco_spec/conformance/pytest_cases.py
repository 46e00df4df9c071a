"""Cases of the corpus as pytest items, one each, judged as by ``truco-spec test``."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from truco_spec.base import __version__
from truco_spec.base.document import text_of
from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import visible
from truco_spec.base.processes import alarm
from truco_spec.conformance.adapters.inprocess import InProcess, adapter_class
from truco_spec.conformance.adapters.pipe import Broken, Implementation, Limits, Pipe, greeted
from truco_spec.conformance.corpus import corpus, edition
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.filling import must_be_valid
from truco_spec.conformance.corpus.protocol import Deal, Introduction, OwnDeals, Script, Seen
from truco_spec.conformance.reports import events
from truco_spec.conformance.reports.events import Played
from truco_spec.conformance.reports.run_document import WIDTH, case_document
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.verdicts import FAILURES, NOTHING, Known, expected_in, under

T = TypeVar("T")

NODE = "truco-spec"
"""The prefix before ``::`` and the name of a case."""

_AGAIN = 1.0  # seconds until the alarm is repeated, for an adapter that caught the first


class Cases:
    """The active plugin if an option is given: creates the items, and holds the implementation."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.implementation: Implementation | None = None
        self.asked = False
        self.expectations = NOTHING
        self.named = self._take_names()

    # ---- which cases ----------------------------------------------------------------------------

    def _take_names(self) -> list[str]:
        """Remove names of cases, ``truco-spec::NAME`` (without a name: all), from the file arguments."""
        mine = [arg for arg in self.config.args if arg.partition("::")[0] == NODE and "::" in arg]
        self.config.args[:] = [arg for arg in self.config.args if arg not in mine]
        names = [arg.partition("::")[2] for arg in mine]
        self.asked = bool(names)
        return [] if "" in names else names

    def _wanted(self) -> bool:
        """Whether cases are wanted: not if other tests are selected by id; nor if the options come only from a
        configuration file and files are given.
        """
        if self.asked:
            return True
        given = any(str(arg).startswith("--truco-") for arg in self.config.invocation_params.args)
        if any("::" in arg for arg in self.config.args):
            return False
        return given or self.config.args_source is not pytest.Config.ArgsSource.ARGS

    def pytest_report_header(self) -> str:
        """The selection of cases, in the header of pytest's report."""
        if not self._wanted():
            return ""
        own = self.config.getoption("truco_cases")
        return f"truco-spec: {__version__}, {'cases of ' + visible(', '.join(own)) if own else f'corpus {edition()}'}"

    @pytest.hookimpl(tryfirst=True)  # before -k, -m and others select among the items
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Append the cases to the tests found in files."""
        if not self._wanted():
            return
        try:
            self.implementation = self._implementation()
            option = self.config.getoption
            paths = dict.fromkeys(option("truco_cases"))
            cases = corpus.load(paths) if paths else None
            found = chosen(cases, variants=option("truco_variant"), names=self.named)
            if paths:
                must_be_valid(found)
            self.expectations = expected_in(option("truco_expected"), cases or ())
        except TrucoError as error:
            raise pytest.UsageError(str(error)) from error
        self.config.add_cleanup(self.implementation.close)
        parent = Corpus.from_parent(session, name=NODE, nodeid=NODE, instances=found, cases=self)
        session.ihook.pytest_collectstart(collector=parent)
        report = session.ihook.pytest_make_collect_report(collector=parent)
        for item in report.result:
            session.ihook.pytest_itemcollected(item=item)
        session.ihook.pytest_collectreport(report=report)
        items += report.result

    # ---- the implementation ---------------------------------------------------------------------

    def _implementation(self) -> Implementation:
        adapter, command, timeout = map(self.config.getoption, ("truco_adapter", "truco_command", "truco_timeout"))
        seconds = Limits().case if timeout is None else timeout
        if not 0 < seconds <= threading.TIMEOUT_MAX:
            raise pytest.UsageError(f"--truco-timeout {seconds:g}: give a number of seconds above 0.")
        if (adapter is None) == (command is None):
            raise pytest.UsageError("Give --truco-adapter MODULE:CLASS or --truco-command CMD, one of them.")
        limits = Limits(case=seconds, start=max(seconds, Limits().start))
        if adapter is not None:
            return Limited(InProcess(adapter_class(adapter)), limits)
        return Pipe(_words(command), limits)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Before the first test: an implementation that cannot be started is a usage error, and no case's failure."""
        if self.implementation is None or self.config.option.collectonly:
            return
        if any(isinstance(item, CaseItem) for item in session.items):
            try:
                greeted(self.implementation)
            except TrucoError as error:
                raise pytest.UsageError(str(error)) from error

    def repeat(self, name: str) -> str:
        """The command that repeats one case."""
        words = ["pytest"]
        for option in ("adapter", "command", "cases"):
            given = self.config.getoption(f"truco_{option}")
            for value in dict.fromkeys(given if isinstance(given, list) else [given]):
                words += [f"--truco-{option}", value] if value is not None else []
        return shlex.join([*words, f"{NODE}::{name}"])


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise pytest.UsageError(f"--truco-command {command!r} cannot be split into words: {error}.") from error
    if not words:
        raise pytest.UsageError("--truco-command is empty. Give the command of an adapter.")
    return words


# ---- nodes --------------------------------------------------------------------------------------


class Corpus(pytest.Collector):
    """The parent node of all cases."""

    def __init__(self, *, instances: Sequence[Instance], cases: Cases, **node: Any) -> None:
        super().__init__(**node)
        self.instances, self.cases = instances, cases

    def collect(self) -> list[pytest.Item]:
        """One item per instance, in the order of the corpus."""
        return [CaseItem.from_parent(self, name=instance.name, instance=instance) for instance in self.instances]


class CaseItem(pytest.Item):
    """One instance of a case. Its name is the instance's; clauses, decisions and variant are keywords for ``-k``."""

    def __init__(self, *, instance: Instance, **node: Any) -> None:
        super().__init__(**node)
        self.instance = instance
        entry, clauses = instance.case.entry, instance.case.clauses
        self.add_marker("truco_case")
        self.add_marker(f"truco_{entry.level}")
        for clause in clauses:
            self.add_marker(pytest.mark.truco_clause(id=clause))
        self.extra_keyword_matches.update(clauses, entry.decisions, (instance.variant,))
        self.user_properties += [("clause", clause) for clause in clauses]
        if self.known is not None and not self.known.expired:
            # strict: a passing case is a failure, too, so that the entry does not outlive the fault
            self.add_marker(pytest.mark.xfail(raises=Foreseen, strict=True, reason=visible(self.known.because)))

    @property
    def cases(self) -> Cases:
        assert isinstance(self.parent, Corpus)  # only a Corpus makes items of this kind
        return self.parent.cases

    @property
    def known(self) -> Known | None:
        """Its entry in the implementer's expected failures."""
        return self.cases.expectations.of(self.instance)

    @property
    def _needless(self) -> str:
        return f"; the entry {self.known.id} is needless, delete it" if self.known is not None else ""

    def runtest(self) -> None:
        """Run and judge it; skip what is unsupported or unobserved."""
        implementation = self.cases.implementation
        assert implementation is not None  # set before any item was made
        try:
            result = runner.play(self.instance, implementation)
        except TrucoError as error:  # an implementation that no longer starts
            pytest.fail(str(error), pytrace=False)
        if result.verdict == "unsupported":
            pytest.skip(f"unsupported: it {result.reason}{self._needless}")
        if result.verdict == "unobserved":
            pytest.skip(f"unobserved: it tells nothing of what the case asks{self._needless}")
        if result.verdict in FAILURES:
            raise Foreseen(result) if under(result.verdict, self.known) == "xfail" else WrongCase(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show a failed case as ``truco-spec test`` does."""
        if isinstance(excinfo.value, WrongCase):
            played = events.played(excinfo.value.result, (), self.known)
            return ShownFault(played, self.instance, self.cases.repeat(self.name))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, int, str]:
        """The place of the case."""
        case = self.instance.case
        return case.path, case.line - 1, self.name


class WrongCase(Exception):
    """A failed case."""

    def __init__(self, result: runner.Result) -> None:
        super().__init__(result.instance.name)
        self.result = result


class Foreseen(WrongCase):
    """A failed case, as its implementer expected."""


class ShownFault:
    """A fault for pytest to show: in full, and in one line (``reprcrash``) for its summary."""

    def __init__(self, played: Played, instance: Instance, repeat: str) -> None:
        self.text = text_of(case_document(replace(played, repeat=repeat)), WIDTH).rstrip("\n")
        fault = played.case.faults[0]
        first = visible(f"{played.case.verdict}: expected {fault.expected}, got {fault.got}")
        self.reprcrash = Crash(first, f"{instance.case.path}:{instance.case.line}")

    def __str__(self) -> str:
        return self.text

    def toterminal(self, out: Any) -> None:
        """Write it, with the interface that pytest requires."""
        for line in self.text.splitlines():
            out.line(line)


class Crash:
    """The one line: ``message``, and as a text with the place of the case."""

    def __init__(self, message: str, place: str) -> None:
        self.message, self.place = message.replace("\n", " "), place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


# ---- time, in this process ----------------------------------------------------------------------


class TimeUp(BaseException):
    """The adapter timed out. Not an Exception, as an adapter may catch all of those."""


class Limited:
    """An implementation in this process that is interrupted at its timeout.

    Requires POSIX and the main thread; elsewhere there is no timeout. Code that never returns to Python is not
    interrupted.
    """

    def __init__(self, inner: Implementation, limits: Limits) -> None:
        self.inner, self.limits = inner, limits

    def hello(self) -> Introduction:
        return self._within(self.limits.start, self.inner.hello)

    def run(self, script: Script) -> Seen:
        return self._within(self.limits.case, lambda: self.inner.run(script))

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        return self._within(self.limits.case, lambda: self.inner.deal(request))

    def close(self) -> None:
        self.inner.close()

    def _within(self, seconds: float, ask: Callable[[], T]) -> T:
        try:
            with alarm(TimeUp, seconds, _AGAIN):
                return ask()
        except TimeUp:
            self.inner.close()  # the next request goes to a new object
            raise Broken("timeout", f"No answer within {seconds:g} s.", "Does a loop never end?") from None
