"""An implementation in this process: a Python class with the methods of the protocol."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import io
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.conformance.adapters.pipe import Broken, introduced, read_answer
from truco_spec.conformance.corpus import protocol
from truco_spec.language.diagnostics import nearest

T = TypeVar("T")

_LOG_KEPT = 4000


class AdapterError(TrucoError):
    """The class of an adapter cannot be loaded: no such module, file or class, or its import fails."""


class InProcess:
    """Wraps an adapter's class as an :class:`~truco_spec.conformance.adapters.pipe.Implementation`.

    Its methods are ``hello()``, ``run(script)`` and, if it observes these, ``deal(asked)`` and ``perft(script,
    depth)``. They take and return the content of protocol lines as plain lists and mappings, without ``id``. After an
    exception the object is replaced by a new one. There is no timeout; its printed output is its log.
    """

    def __init__(self, adapter: Callable[[], Any]) -> None:
        self.adapter = adapter
        self._object: Any = None
        self._introduction: protocol.Introduction | None = None

    def hello(self) -> protocol.Introduction:
        if self._introduction is None:
            self._introduction = self._ask("hello", (), introduced)
        return self._introduction

    def run(self, script: protocol.Script) -> protocol.Seen:
        return self._ask("run", (script,), lambda message: protocol.seen_in(message, script))

    def deal(self, request: protocol.OwnDeals) -> tuple[protocol.Deal, ...]:
        return self._ask("deal", (request,), lambda message: protocol.deals_in(message, request))

    def perft(self, script: protocol.Script, depth: int) -> protocol.Counts:
        return self._ask("perft", (script, depth), lambda message: protocol.counts_in(message, script, depth))

    def close(self) -> None:
        self._object = None

    def afresh(self) -> InProcess:
        """A copy with a new object."""
        return InProcess(self.adapter)

    def _ask(self, method: str, arguments: tuple[Any, ...], reader: Callable[[dict[str, Any]], T]) -> T:
        log = io.StringIO()
        try:
            with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
                if self._object is None:
                    self._object = self.adapter()
                told = getattr(self._object, method)(
                    *(json.loads(protocol.line_of(argument)) for argument in arguments)
                )
        except SystemExit as end:
            self._object = None
            raise Broken("crash", f"It left with exit status {end.code}.", "Raise an error.", _end(log)) from end
        except Exception as error:
            self._object = None
            traceback.print_exc(file=log)
            message = f"It raised {type(error).__name__}: {str(error)[:500]}"
            raise Broken("error", message, "The end of its traceback is shown.", _end(log)) from error
        return read_answer(_as_json(told, method), reader, _end(log))


def _end(log: io.StringIO) -> str:
    return log.getvalue()[-_LOG_KEPT:].strip()


def _as_json(told: Any, method: str) -> dict[str, Any]:
    """Return the answer as it would arrive over the pipe; values that are not JSON are rejected here, too."""
    if not isinstance(told, Mapping):
        raise Broken("protocol", f"{method} returned no mapping: {type(told).__name__}.", "See docs/protocol.md.")
    try:
        message: dict[str, Any] = json.loads(json.dumps(told, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise Broken("protocol", f"What {method} returned is no JSON: {error}.", "See docs/protocol.md.") from error
    return message


# ---- loading the class --------------------------------------------------------------------------


def adapter_class(name: str) -> Callable[[], Any]:
    """Load the class named by ``package.module:Class`` or ``file.py:Class``. Raises :class:`AdapterError`."""
    place, _, wanted = name.rpartition(":")
    is_file = place.endswith(".py")
    if not wanted or not (is_file or all(map(str.isidentifier, place.split(".")))):
        raise AdapterError(
            Sentence("‘{name}’ names no class. Write MODULE:CLASS or FILE.py:CLASS, as my_adapter:Adapter.", name=name)
        )
    try:
        with contextlib.redirect_stdout(sys.stderr):  # standard output is reserved for the report
            module = _file(Path(place)) if is_file else _module(place)
    except (Exception, SystemExit) as error:
        raise AdapterError(
            Sentence(
                "{place} cannot be loaded: {kind}: {error}", place=place, kind=type(error).__name__, error=str(error)
            )
        ) from error
    found = getattr(module, wanted, None)
    if not callable(found):
        near = nearest(wanted, [key for key, value in vars(module).items() if inspect.isclass(value)])
        form = "{place} has no class {wanted}. Write one with the methods hello and run."
        if near:
            form = "{place} has no class {wanted}. Did you mean {near}?"
        raise AdapterError(Sentence(form, place=place, wanted=wanted, near=near))
    return found  # type: ignore[no-any-return]  # whatever can be called is tried


def _module(name: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    return importlib.import_module(name)


def _file(path: Path) -> ModuleType:
    """Import the file as a module under a unique name, with its folder on the path, as for a script."""
    if not path.is_file():
        raise FileNotFoundError("there is no such file")
    name = f"adapter_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader  # it ends in .py
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module
