"""``python -m truco_spec`` is ``truco-spec``."""

from truco_spec.cli import main

main()
