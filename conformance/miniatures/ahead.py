"""Answers one script, and at once the next, which it has not been asked yet, by guessing its number."""

from table import due, honest, requests, write

for _, request in requests():
    if due(request):
        generation, _, count = request["id"].partition(".")
        write({**honest(request), "id": f"{generation}.{int(count) + 1}"})
    write(honest(request))
