"""Answers the second script with a line that never ends."""

import sys

from table import honest, requests, write

for number, request in requests():
    while number == 2:
        sys.stdout.write("truco " * 10_000)
    write(honest(request))
