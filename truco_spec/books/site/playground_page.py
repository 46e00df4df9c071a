"""The playground of a site: its page, Pyodide from npm, and this package with its requirements."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Annotated, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.errors import TrucoError, located
from truco_spec.base.words import Sentence
from truco_spec.books.site.page_frame import Addresses, framed, in_each, words

FOLDER = "playground/"
"""Their folder in a site."""
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of the npm package ``pyodide`` that a browser loads."""
OWN = ("worker.js", "shown.html")
NEEDED = ("babel", "jinja2", "lark", "markupsafe", "pyyaml")
"""The packages imported to check, print and play."""
_DATA = ("grammar", "spec")
_LEFT_OUT = ("checks/", "cli/", "editor/", "books/site/", "engine/wasm/")
_CODE = {".py", ".typed", ".css", ".html", ".js", ".jinja", ".svg"}
_SUFFIXES = {*_CODE, ".lark", ".yaml", ".truco", ".po", ".dat", ".json"}
_LOCALES = {"root.dat", "en.dat", "pt.dat", "es.dat"}
_WHEN = (2020, 1, 1, 0, 0, 0)


class PyodideError(TrucoError):
    """The folder is not the npm package ``pyodide``."""


def runtime(folder: Path) -> dict[str, Path]:
    """The files of an unpacked npm package ``pyodide``. Raises :class:`PyodideError`."""
    found = {name: folder / name for name in RUNTIME}
    missing = [name for name, path in found.items() if not path.is_file()]
    if missing:
        form = (
            "This is not the npm package “pyodide”: {file} is not in it. “npm install pyodide” makes "
            "node_modules/pyodide."
        )
        raise PyodideError(located(folder, Sentence(form, file=missing[0])))
    return found


def own(name: str) -> bytes:
    """Return a file of ours beside the runtime."""
    return resources.files(__package__ or "").joinpath(name).read_bytes()


def archive() -> bytes:
    """Pack this package, its texts and its libraries into one ZIP file, the same for the same installation."""
    held = dict(sorted((*_package(), *_libraries())))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in held.items():
            made.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _package() -> Iterator[tuple[str, bytes]]:
    package = Path(__file__).resolve().parents[2]
    for path in package.rglob("*"):
        name = path.relative_to(package).as_posix()
        if path.suffix in _SUFFIXES and path.is_file() and not name.startswith(("data/", *_LEFT_OUT)):
            yield f"{package.name}/{name}", path.read_bytes()
    for part in _DATA:
        root = shipped.folder(part)
        for path in root.rglob("*"):
            if path.suffix in _SUFFIXES and path.is_file():
                yield f"{package.name}/data/{part}/{path.relative_to(root).as_posix()}", path.read_bytes()


def _libraries() -> Iterator[tuple[str, bytes]]:
    for name in NEEDED:
        try:
            held = distribution(name)
        except PackageNotFoundError as error:
            raise PyodideError(Sentence("The library {name} is not installed as a package here.", name=name)) from error
        for file in held.files or ():
            path = Path(str(file.locate()))
            if ".." in file.parts or path.suffix not in _SUFFIXES or not path.is_file():
                continue
            if path.suffix != ".dat" or path.name in _LOCALES:
                yield file.as_posix(), path.read_bytes()


# ---- the page ----------------------------------------------------------------------------------

SAID = {
    "loading": "The rules are loaded; the first time this takes a while …",
    "working": "One moment …",
    "right": "Nothing wrong was found.",
    "done": "Done.",
    "wrong": "This is not in order:",
    "stopped": "Stopped.",
    "offline": "This could not be loaded.",
    "unreadable": "This cannot be opened.",
    "copied": "Copied",
}
"""The words that ``playground.js`` shows, by the names that it knows them by."""


@dataclass(frozen=True, slots=True)
class PlaygroundFile:
    """``spec/playground.yaml``."""

    playground: Literal[1]
    licence: str
    samples: Annotated[Mapping[str, str], "The rules that it begins with, by language."]


@cache
def samples() -> Mapping[str, str]:
    """The rules that it begins with, by language. Raises :class:`~truco_spec.base.safe_yaml.YamlError`."""
    return safe_yaml.load_file(shipped.folder("spec") / "playground.yaml").shaped(PlaygroundFile).samples


def page_of(language: str) -> str:
    told = words(language)
    return framed(
        "playground",
        "",
        modules=True,
        styles=("playground",),
        language=language,
        here=in_each(Addresses(language=language).playground),
        said={name: told(sentence) for name, sentence in SAID.items()},
        sample=samples()[language],
    )
