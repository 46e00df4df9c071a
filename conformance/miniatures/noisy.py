"""Writes without end to standard error, and answers well."""

import sys

from table import honest, requests, write

for _, request in requests():
    sys.stderr.write("thinking\n" * 20_000)
    write(honest(request))
