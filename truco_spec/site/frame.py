"""What all pages of the site have around them: the way through the site, one style, the version."""

from __future__ import annotations

from truco_spec.pages.environment import page
from truco_spec.site.addresses import Addresses
from truco_spec.version import __version__


def framed(name: str, root: str, script: str = "", *, pictures: bool = False, **values: object) -> str:
    """The page ``name.html`` of the site with these values; ``root`` leads from it to the home page."""
    held = {"to": Addresses(root), "version": __version__, **values}
    return page("truco_spec.site", name, held, styles=("site",), script=script, pictures=pictures)
