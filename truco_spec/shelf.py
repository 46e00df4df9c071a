"""A shelf in the user's own cache folder: bytes kept under a name between runs, whole or not at all.

The folder is ``$XDG_CACHE_HOME/truco-spec`` or ``~/.cache/truco-spec``. What is kept there is for the same user and the
same installation only, as Python keeps compiled modules; a name holds a digest of everything that its bytes depend on.
A folder that cannot be written, or a file that cannot be read or is somebody else's, is as good as none.
``TRUCO_SPEC_CACHE=off`` turns it off.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from truco_spec import shipped


@dataclass(frozen=True, slots=True)
class Shelf:
    """One folder of kept files. When there are more than ``most``, the oldest go first."""

    name: str
    most: int

    def folder(self) -> Path | None:
        """Where they are kept, or None where nothing is."""
        if os.environ.get("TRUCO_SPEC_CACHE", "").lower() == "off":
            return None
        root = os.environ.get("XDG_CACHE_HOME", "")
        home = Path(root) if root else Path("~").expanduser() / ".cache"
        return home / "truco-spec" / self.name if home.is_absolute() else None

    def read(self, name: str) -> bytes | None:
        """What is kept under a name, if it is this user's own."""
        place = self.folder()
        if place is None:
            return None
        try:
            with place.joinpath(name).open("rb") as file:
                if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                    return None
                return file.read()
        except OSError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Keep it, whole or not at all."""
        place = self.folder()
        if place is None:
            return
        import tempfile  # seldom needed, and not light

        with contextlib.suppress(OSError):
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, temporary = tempfile.mkstemp(dir=place)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(temporary).replace(place / name)
            except BaseException:
                Path(temporary).unlink()
                raise
            self._clear(place)

    def _clear(self, place: Path) -> None:
        names = os.listdir(place)  # noqa: PTH208  (counted far more often than sorted)
        if len(names) > self.most:
            kept = sorted((place / name for name in names), key=lambda path: path.stat().st_mtime)
            for path in kept[: -self.most // 2]:
                path.unlink(missing_ok=True)


@lru_cache(maxsize=8)
def installation(parts: tuple[str, ...]) -> bytes:
    """A digest of what all that is kept depends on: this Python, the shipped specs and grammar, and the folders
    ``parts`` of this package.
    """
    package = Path(__file__).resolve().parent
    spec = shipped.folder("spec")
    files = [*spec.glob("base/*.truco"), *spec.glob("variants/*.truco"), shipped.folder("grammar") / "truco.lark"]
    digest = hashlib.sha256(repr((sys.version, sys.implementation.cache_tag)).encode())
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for part in parts:
        for path in sorted(package.joinpath(part).glob("*.py")):
            stat = path.stat()
            digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.digest()
