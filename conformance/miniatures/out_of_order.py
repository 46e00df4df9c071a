"""Answers one script after the next one, or, if none comes, never."""

from table import due, honest, requests, write

kept = None
for _, request in requests():
    if due(request):
        kept = honest(request)
        continue
    write(honest(request))
    if kept:
        write(kept)
        kept = None
