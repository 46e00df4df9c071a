"""A changed file makes anew what hangs on it: the site that was brought up to date is the one made from nothing.

In a copy of the project with two of its games, so that it takes seconds.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from truco_spec.books.site.pages import SITE_MANIFEST

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
GAMES = ("fisch", "nowadays")
OWN = (
    "# A log.\ntruco: 1\nvariant: nowadays\nplayers: [ana, bia]\ndealer: ana\nhands:\n  - moves: bia truco, ana corro\n"
)
ASKED = "groups:\n  - title: The table\n    questions:\n      - {ask: How many can play?, about: players}\n"
ELSEWHERE = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "3"}
"""An environment in which nothing comes out otherwise."""


class Project:
    """The copy, its site, and one made from nothing beside it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.site, self.fresh = folder / "project", folder / "site", folder / "fresh"
        self.environment = os.environ | {"PYTHONPATH": str(self.root), "XDG_CACHE_HOME": str(folder / "cache")}
        for name in ("truco_spec", "grammar", "spec", "conformance"):
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        for text in (self.root / "spec" / "variants").iterdir():
            if text.stem not in GAMES:
                text.unlink()
                (self.root / "spec" / "concordance" / text.name).unlink(missing_ok=True)
        for cases in (self.root / "conformance" / "cases").iterdir():
            if cases.name not in GAMES:
                shutil.rmtree(cases)
        for shared in (self.root / "conformance" / "cases").rglob("*.yaml"):  # with games that are not here
            own = f"variants: [{shared.parent.name}]"
            shared.write_text(
                re.sub(r"variants: \[[^\]]*\]", own, shared.read_text(encoding="utf-8")), encoding="utf-8"
            )
        (self.root / "docs" / "logs").mkdir(parents=True)
        self.write("docs/README.md", "# Documentation\n\n## Reference\n\n- [Logs](logs): examples\n- [More](more.md)\n")
        self.write("docs/more.md", "# More\n\nAbout something.\n")
        self.write("docs/logs/own.yaml", OWN)
        questions = (self.root / "spec" / "questions.yaml").read_text(encoding="utf-8")
        self.write("spec/questions.yaml", questions.partition("groups:")[0] + ASKED)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def made(self, folder: Path, **environment: str) -> int:
        """Make the site there; how many pages were made."""
        told = self.environment | environment
        command = [sys.executable, "-P", "-m", "truco_spec", "site", "-o", str(folder)]
        done = subprocess.run(command, cwd=self.root, env=told, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        (number,) = re.findall(r"pages, (\d+) of them made now", done.stdout)
        return int(number)

    def pages(self, folder: Path) -> dict[str, bytes]:
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.name != SITE_MANIFEST
        }

    def brought_up_to_date(self) -> set[str]:
        """The pages that are other than before, or gone, or new, after the site is made again; it is the right one."""
        before = self.pages(self.site)
        self.made(self.site)
        after = self.pages(self.site)
        shutil.rmtree(self.fresh, ignore_errors=True)
        self.made(self.fresh, **ELSEWHERE)
        assert after == self.pages(self.fresh)
        return {name for name in {*before, *after} if before.get(name) != after.get(name)}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("anew"))
    assert project.made(project.site) > 40
    return project


def test_nothing_has_changed(project: Project) -> None:
    assert project.made(project.site) == 0


@pytest.mark.campaign
def test_another_place_gives_the_same_files(project: Project, tmp_path: Path) -> None:
    other = Project(tmp_path / "elsewhere")
    other.made(other.site, **ELSEWHERE)
    assert other.pages(other.site) == project.pages(project.site)


def title(project: Project) -> None:
    project.change("spec/variants/fisch.truco", '  title "', '  title "The game of ')


def base(project: Project) -> None:
    text = (project.root / "spec" / "base" / "truco.truco").read_text(encoding="utf-8")
    (said,) = re.findall(r'define tied-trick .*?"(.*?)"', text, re.DOTALL)
    project.change("spec/base/truco.truco", f'"{said}"', f'"In other words: {said}"')


def concordance(project: Project) -> None:
    path = "spec/concordance/fisch.truco"
    text = (project.root / path).read_text(encoding="utf-8")
    (cites,) = re.findall(r"^  pass-deal +(@.*)$", text, re.MULTILINE)
    project.change(path, f" {cites}\n", " @fisch:fisch.deal.any-distribution\n")


def clause(project: Project) -> None:
    path = project.root / "spec" / "sources" / "fisch.yaml"
    (text,) = re.findall(r"^  text: (\w[\w ,]+)", path.read_text(encoding="utf-8"), re.MULTILINE)[:1]
    project.change("spec/sources/fisch.yaml", f"  text: {text}", f"  text: In other words {text}")


def catalog(project: Project) -> None:
    project.change("spec/locales/pt/site.po", 'msgstr "Busca"', 'msgstr "Procura"')


def case(project: Project) -> None:
    path = next((project.root / "conformance" / "cases" / "nowadays").glob("truco.yaml"))
    (title,) = re.findall(r"title: (.+)", path.read_text(encoding="utf-8"))[:1]
    project.change(path.relative_to(project.root).as_posix(), f"title: {title}", f"title: Now {title}")


def log(project: Project) -> None:
    project.change("docs/logs/own.yaml", "ana corro", "ana aceito")


def document(project: Project) -> None:
    (project.root / "docs" / "more.md").unlink()


def template(project: Project) -> None:
    project.change("truco_spec/books/site/layout.html", "<footer", "<hr><footer")


def version(project: Project) -> None:
    project.change("truco_spec/base/__init__.py", '"1.', '"9.')


@pytest.mark.sample(0, long=2)
@pytest.mark.parametrize(
    ("change", "must", "may"),
    [
        (
            title,
            "rules/fisch.en.html",
            r"(rules|atlas|modules|cases)/fisch[-.]|(cases/)?index\.|search|table|who|sw\.js|modules/argument",
        ),
        (base, "rules/nowadays.en.html", r"rules|atlas|search|clauses/|modules/|who|sw\.js"),
        (concordance, "rules/fisch.en.html", r"(rules|atlas|modules)/fisch\.|clauses/fisch|search|who|sw\.js"),
        (clause, "clauses/fisch.html", r"clauses/|rules/fisch|search|modules/|who|sw\.js"),
        (catalog, "rules/fisch.pt.html", r".*\.pt\.(html|webmanifest)$|modules/|sw\.js"),
        (case, "cases/nowadays-truco.html", r"cases/(nowadays|index)|rules/nowadays"),
        (log, "docs/logs/own.yaml.html", r"docs/logs/own"),
        (document, "docs/more.html", r"docs/|search"),
        (template, "index.html", r".*"),
        (version, "index.html", r".*"),
    ],
)
def test_what_hangs_on_it_is_made_anew(
    project: Project, change: Callable[[Project], None], must: str, may: str
) -> None:
    change(project)
    other = project.brought_up_to_date()
    assert must in other
    assert [name for name in other if not re.match(may, name)] == []


def test_only_what_hangs_on_it_is_made(project: Project) -> None:
    project.change("docs/logs/own.yaml", "# A log.", "# One log.")
    assert project.made(project.site) < 16  # the log and the lists of logs, in three languages
    project.change("spec/locales/es/site.po", 'msgstr "Buscar"', 'msgstr "Busca"')
    assert project.made(project.site) < len(list(project.site.rglob("*.html"))) / 2  # those in Spanish
