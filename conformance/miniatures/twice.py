"""Answers everything twice: each second answer comes when the next one is due."""

from table import honest, requests, write

for _, request in requests():
    write(honest(request))
    write(honest(request))
