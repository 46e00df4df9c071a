"""Answers one script with a text where a list belongs."""

from table import due, honest, requests, write

for _, request in requests():
    write({"id": request["id"], "hands": "none"} if due(request) else honest(request))
