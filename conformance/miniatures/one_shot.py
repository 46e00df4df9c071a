"""Answers one script, and ends well."""

import sys

from table import due, honest, requests, write

for _, request in requests():
    write(honest(request))
    if due(request):
        sys.exit(0)
