"""Draws a face that makes a sign to a partner, of parts. It looks at the reader: its right is on the left."""

from __future__ import annotations

from collections.abc import Collection

from markupsafe import Markup

from truco_spec.base.glossary import FacePart

_HEAD = '<circle cx="30" cy="30" r="23"/>'
_EYES = {"right": 21, "left": 39}
_MOUTHS: dict[FacePart, str] = {
    "mouth drawn right": '<path class="line" d="M15 40q3 4 9 4h12"/>',
    "mouth drawn left": '<path class="line" d="M45 40q-3 4-9 4H24"/>',
    "lip bitten": '<path class="line" d="M21 42h18"/><path class="white" d="M26 42h4v4h-4zM30 42h4v4h-4z"/>',
    "lips pushed out": '<circle class="lips" cx="30" cy="43" r="5"/><path class="line" d="M28 43h4"/>',
    "mouth open": '<ellipse class="ink" cx="30" cy="43" rx="6" ry="7"/>',
}
_SMILE = '<path class="line" d="M22 41q8 5 16 0"/>'
_NOSE = '<path class="line" d="M30 28l-2 8h4"/>'
_WRINKLED = '<path class="line" d="M25 29l10 0M26 32l8 0M27 36q3 2 6 0"/>'
_SHOULDERS = '<path class="shirt" d="M2 70q2-14 17-17h22q15 3 17 17z"/>'
_HAND = '<path d="M44 70q-4-9 2-13 7-3 11 4l3 9z"/><path class="line" d="M47 58v5M51 57v6M55 59v5"/>'


def face_of(parts: Collection[FacePart]) -> Markup:
    """The face as SVG, for beside the words that say how the sign is made."""
    lifted = 5 if "brows up" in parts else 0
    drawn = [_SHOULDERS, _HEAD, _HAND if "hand on shoulder" in parts else ""]
    for side, x in _EYES.items():
        drawn.append(f'<path class="line" d="M{x - 5} {21 - lifted}q5-{3 + lifted} 10 0"/>')
        if f"{side} eye shut" in parts:
            drawn.append(f'<path class="line" d="M{x - 4} 27q4 3 8 0"/>')
        else:
            drawn.append(f'<circle class="ink" cx="{x}" cy="27" r="2.2"/>')
    drawn.append(_WRINKLED if "nose wrinkled" in parts else _NOSE)
    drawn.append(next((_MOUTHS[part] for part in parts if part in _MOUTHS), _SMILE))
    return Markup(f'<svg class="face" viewBox="0 0 60 70" aria-hidden="true">{"".join(drawn)}</svg>')  # noqa: S704 -- ours
