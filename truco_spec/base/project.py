"""Projects: folders of sources, variants, cases, terms and catalogs, each found by name in every verb.

What is shipped is one project. A user's own, the folder of a ``truco.yaml``, is opened beside it::

    truco.yaml    title, organisation, edition, date, languages
    sources/      documents, taken apart into clauses         sources/rg-2026.yaml
    variants/     playable variants, one in each file         variants/club.truco
    base/         what variants share, one block in each file
    cases/        cases that test them                        cases/penalties.yaml
    glossary/     terms, explained
    locales/      translated sentences                        locales/pt/rules.po

A name has one meaning: whatever would hide a name that is at hand already is an error. Nothing outside of the folder is
read, whatever links there are in it. Processes started from this one open the same projects.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError, located
from truco_spec.base.paths import led_to, ordinary_files
from truco_spec.base.words import Sentence

if TYPE_CHECKING:
    from truco_spec.base import safe_yaml

F = TypeVar("F", bound=Callable[..., Any])

MANIFEST = "truco.yaml"
VARIABLE = "TRUCO_SPEC_PROJECT"
"""The environment variable that holds the folders of the open projects."""
MOST_FILES = 2000
"""The most files of a project."""
LARGEST_FILE = 5_000_000
"""The most bytes of a file of a project: whatever reads it reads no more."""
_TEXTS = ("base", "variants")
_FOLDERS = {
    **dict.fromkeys((*_TEXTS, "concordance"), ".truco"),
    **dict.fromkeys(("sources", "cases", "glossary"), ".yaml"),
    "locales": ".po",
}
"""The folders of a project, with the suffix of their files."""
_BLOCK = re.compile(r"^\s*variant\s+([^\s{]+)", re.MULTILINE)
_QUESTION = re.compile(r"^\s*(?:replace\s+)?define\s+([^\s(:@]+)", re.MULTILINE)
_DEEPEST = 32
_LONGEST = 2_000_000
"""The most letters of a text that are looked at for the variant in it; a longer one cannot be read either."""


class ProjectError(TrucoError):
    """A folder cannot be used as a project. The message begins with the place."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of ``truco.yaml``: the front page of the project's books, and what they leave out."""

    project: Annotated[Literal[1], "The version of this format: 1."]
    title: Annotated[str | Mapping[str, str], "The name of the rules; a text, or one for each language."]
    organisation: Annotated[str, "Who issues them."] = ""
    edition: Annotated[str, "Which edition of the rules this is."] = ""
    date: Annotated[str, "When they come into force."] = ""
    languages: Annotated[tuple[str, ...], "The languages of the books, the first of them that of the texts."] = ("en",)
    address: Annotated[str, "Where the rules are published."] = ""
    leave: Annotated[tuple[str, ...], "The questions of its texts that its books do not print."] = ()


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with its texts. ``cases`` is the folder of its cases."""

    root: Path
    cases: Path = field(default=Path())

    @classmethod
    def open(cls, folder: Path | str) -> Project:
        """Open the project in a folder: its names become available in this process and its children.

        Raises :class:`ProjectError` for a folder that is none or hides a name, YamlError for an unusable manifest.
        """
        opened = cls.of(Path(folder))
        if opened not in projects():
            opened.check()
            os.environ[VARIABLE] = os.pathsep.join(str(each.root) for each in (*projects()[1:], opened))
        return opened

    @classmethod
    def of(cls, folder: Path) -> Project:
        """The project in a folder, unchecked."""
        root = led_to(folder)
        return cls(root, root / "cases")

    @property
    def manifest(self) -> Manifest:
        """The content of its ``truco.yaml``. Raises YamlError."""
        return self._document().shaped(Manifest)

    def _document(self) -> safe_yaml.Document:
        from truco_spec.base import safe_yaml

        return safe_yaml.load_file(self.root / MANIFEST)

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of its playable variants, in alphabetical order."""
        return tuple(path.stem for path in self.files("variants"))

    def texts(self) -> dict[str, Path]:
        """Its texts of rules by name: what variants share, and the variants."""
        return {path.stem: path for folder in _TEXTS for path in self.files(folder)}

    def text(self, name: str) -> Path | None:
        """The one of this name among its texts, without a look at the others."""
        if Path(name).name != name:
            return None
        places = (self.root / folder / f"{name}{_FOLDERS[folder]}" for folder in reversed(_TEXTS))
        return next((path for path in places if path.is_file()), None)

    def sources(self) -> dict[str, Path]:
        """The files of its sources, by name."""
        return {path.stem: path for path in self.files("sources")}

    def files(self, folder: str) -> list[Path]:
        """The ordinary files of one of its folders, in order."""
        pattern = f"*{_FOLDERS[folder]}"
        if folder == "cases":
            return ordinary_files(self.cases, f"**/{pattern}")
        return ordinary_files(self.root / folder, f"*/{pattern}" if folder == "locales" else pattern)

    def check(self) -> None:
        """Raises :class:`ProjectError` or YamlError where it cannot be opened beside those that are open."""
        path = self.root / MANIFEST
        if not path.is_file():
            raise ProjectError(located(self.root, self._missing()))
        if os.pathsep in str(self.root):
            form = "The name of a project's folder has no “{sign}” in it."
            raise ProjectError(located(self.root, Sentence(form, sign=os.pathsep)))
        document = self._document()
        manifest = document.shaped(Manifest)
        files = [path for folder in _FOLDERS for path in self.files(folder)]
        if len(files) > MOST_FILES:
            form = "These are {count} files; a project has at most {most}."
            raise ProjectError(located(self.root, Sentence(form, count=len(files), most=MOST_FILES)))
        for file in files:
            if file.stat().st_size > LARGEST_FILE:
                form = "This file is too large: one of a project has at most {count} bytes."
                raise ProjectError(located(file, Sentence(form, count=LARGEST_FILE)))
            if not any(led_to(file).is_relative_to(place) for place in (self.root, self.cases)):
                raise ProjectError(located(file, Sentence("This leads out of the project; put the file itself there.")))
        for file in self.files("locales"):
            if file.parent.name not in shipped.LANGUAGES:
                raise ProjectError(located(file, _no_books(file.parent.name)))
        if not manifest.languages:
            raise document.error(Sentence("“languages” is empty; name that of the texts first: [en]."), "languages")
        for at, name in enumerate(manifest.languages):
            if name not in shipped.LANGUAGES:
                raise document.error(_no_books(name), "languages", at)
            if name in manifest.languages[:at]:
                raise document.error(
                    Sentence("“languages” names “{name}” twice; name it once.", name=name), "languages", at
                )
        for name in () if isinstance(manifest.title, str) else manifest.title:
            if name not in shipped.LANGUAGES:
                raise document.error(_no_books(name), "title", name)
        self._check_names()
        self._check_left_out(manifest.leave, document)

    def _missing(self) -> str:
        """Why there is no manifest, and what to do."""
        if self.files("variants"):
            form = "There are variants here, but no {file}. Write one: “project: 1” and “title: …”, a line each."
            return Sentence(form, file=MANIFEST)
        form = "There is no such folder. “truco-spec new {name}” makes a project."
        if self.root.is_dir():
            form = "There is no {file} in this folder. “truco-spec new {name}” makes a project."
        return Sentence(form, file=MANIFEST, name=self.root.name)

    def _check_names(self) -> None:
        """Raises :class:`ProjectError` for a name that would mean two things."""
        held: dict[tuple[str, str], Path] = {}
        for kind, found in (each for project in (*projects(), self) for each in project.named()):
            earlier = held.setdefault((kind, found.stem), found)
            if earlier != found:
                form = "There is a variant {name} already: {earlier}. Give one another name."
                if kind == "source":
                    form = "There is a source {name} already: {earlier}. Give one another name."
                raise ProjectError(located(found, Sentence(form, name=found.stem, earlier=str(earlier))))
        for folder in _TEXTS:
            for path in self.files(folder):
                with path.open(encoding="utf-8", errors="replace") as text:
                    blocks = _BLOCK.findall(text.read(_LONGEST))
                if blocks != [path.stem]:
                    form = "A file holds the one variant that it is named after; this one holds none."
                    if blocks:
                        form = "A file holds the one variant that it is named after; this one holds {names}."
                    raise ProjectError(located(path, Sentence(form, names=tuple(blocks))))

    def _check_left_out(self, left: tuple[str, ...], manifest: safe_yaml.Document) -> None:
        """Raises YamlError for a name to leave out of books that no question of its texts has."""
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in self.texts().values()] if left else []
        asked = {name for text in texts for name in _QUESTION.findall(text)}
        for at, name in enumerate(left):
            if name not in asked:
                form = "“leave” names “{name}”, and no question (define) of this project is called so."
                raise manifest.error(Sentence(form, name=name), "leave", at)

    def named(self) -> Iterator[tuple[str, Path]]:
        """Everything in it that has a name of its own: kind and file."""
        yield from (("variant", path) for folder in _TEXTS for path in self.files(folder))
        yield from (("source", path) for path in self.files("sources"))


# ---- the projects at hand ------------------------------------------------------------------------


def projects() -> tuple[Project, ...]:
    """Return the open projects: the shipped one, then the user's own."""
    return _open(os.environ.get(VARIABLE, ""))


@lru_cache(maxsize=8)
def _open(folders: str) -> tuple[Project, ...]:
    own = (Project.of(Path(folder)) for folder in folders.split(os.pathsep) if folder)
    return (_shipped(), *own)


@cache
def _shipped() -> Project:
    return Project(shipped.folder("spec"), shipped.folder("conformance") / "cases")


def own_projects() -> tuple[Project, ...]:
    """The open projects of the user."""
    return projects()[1:]


def around(folder: Path) -> Path | None:
    """The nearest folder with a ``truco.yaml``: this one, or one that it is in. The shipped one does not count."""
    for place in (folder, *folder.parents)[:_DEEPEST]:
        if (place / MANIFEST).is_file():
            return None if place.resolve() == _shipped().root.resolve() else place
    return None


def half(folder: Path) -> Path | None:
    """The folder if it has variants and no ``truco.yaml``: half a project, which cannot be opened."""
    return folder if Project.of(folder).variants and not (folder / MANIFEST).is_file() else None


OWN: dict[str, str] = {}
"""The user's own variants registered in this process, by name: their files (:func:`truco_spec.graph.load.know`)."""


def playable_names() -> tuple[str, ...]:
    """Return the names of all available variants: the shipped ones, those of open projects, and registered files."""
    return (*shipped.variant_names(), *(name for project in own_projects() for name in project.variants), *OWN)


def subject_names() -> tuple[str, ...]:
    """Return the default variants of a verb: those of the user's projects, or else the shipped ones.

    Raises :class:`ProjectError` for projects that have none yet.
    """
    names = tuple(name for project in own_projects() or projects() for name in project.variants)
    if not names:
        raise nothing_in("variants", Sentence("There is no variant here yet; write one: docs/federation.md."))
    return names


def nothing_in(folder: str, message: Sentence) -> ProjectError:
    """Return the error for an empty folder of the user's project."""
    return ProjectError(located(own_projects()[0].root / folder, message))


def _no_books(language: str) -> Sentence:
    form = "There are no books in “{language}”; the languages are {known}."
    return Sentence(form, language=language, known=shipped.LANGUAGES)


def project_of(variant: str) -> Project | None:
    """The user's project that holds a variant; None for any other."""
    return next((project for project in own_projects() if project.text(variant)), None)


def by_variant(most: int) -> Callable[[F], F]:
    """Memoise the last ``most`` results by the arguments, the first a variant's name, and by the files of a user's own
    variant: they change, and another project may have a variant of that name.
    """

    def memoised(function: F) -> F:
        @lru_cache(maxsize=most)
        def known(_: object, *arguments: Any) -> Any:
            return function(*arguments)

        @wraps(function)
        def asked(variant: str, *others: Any) -> Any:
            return known(_state(variant), variant, *others)

        asked.cache_clear = known.cache_clear  # type: ignore[attr-defined]
        return asked  # type: ignore[return-value]

    return memoised


def _state(variant: str) -> tuple[tuple[Path, int], ...]:
    """The files of a user's variant, and when they changed; nothing for a shipped one."""
    home = project_of(variant)
    files = home.texts().values() if home else [Path(OWN[variant])] if variant in OWN else ()
    return tuple((path, path.stat().st_mtime_ns) for path in files if path.is_file())
