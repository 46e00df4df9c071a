"""Answers the second script with lists in lists in lists."""

from table import honest, requests, write

for number, request in requests():
    write("[" * 100_000 if number == 2 else honest(request))
