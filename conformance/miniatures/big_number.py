"""Tells a stake of five thousand digits."""

from table import due, honest, requests, write

for _, request in requests():
    if due(request):
        write(f'{{"id": "{request["id"]}", "hands": [{{"start": {{"stake": {"9" * 5000}}}, "seen": [{{}}]}}]}}')
    else:
        write(honest(request))
