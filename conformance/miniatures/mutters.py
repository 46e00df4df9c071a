"""Writes to standard error without end at one script, and nothing else."""

import sys

from table import due, honest, requests, write

for _, request in requests():
    while due(request):
        sys.stderr.write("let me see … " * 1000)
    write(honest(request))
