"""Faces that make signs: each sign has another, and a sign of one side is the mirrored one of the other."""

from __future__ import annotations

import itertools
import re

from truco_spec.books.render import face_of
from truco_spec.graph.plan import FacePart, glossary

SIGNS: dict[str, tuple[FacePart, ...]] = {e.term.term: e.term.face for e in glossary().entries if e.term.face}


def test_every_sign_has_a_face_of_its_own() -> None:
    signs = [entry.term.term for entry in glossary().entries if entry.term.gesture]
    assert signs == [*SIGNS]
    faces = {name: face_of(parts) for name, parts in SIGNS.items()}
    assert all(one != other for one, other in itertools.combinations(faces.values(), 2))


def test_the_right_of_a_face_is_on_the_left_of_the_reader() -> None:
    """The left eye says the ace of clubs, the right corner of the mouth the seven of swords."""
    eye = re.search(r'cx="(\d+)" cy="27"', face_of(SIGNS["ancho de bastos"]))
    assert eye is not None
    assert int(eye[1]) < 30  # the right one is open
    mouth = re.search(r'd="M(\d+) 4', face_of(SIGNS["siete de espadas"]))
    assert mouth is not None
    assert int(mouth[1]) < 20
