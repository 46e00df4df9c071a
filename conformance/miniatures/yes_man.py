"""Permits everything and sees nothing."""

from table import honest, requests, write

for _, request in requests():
    write(honest(request, nothing=True))
