"""Refuses everything."""

from table import honest, requests, write

for _, request in requests():
    write(honest(request, refused="not-now"))
