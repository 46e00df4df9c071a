"""Answers one script in letters that are no UTF-8."""

import sys

from table import due, honest, requests, write

for _, request in requests():
    if due(request):
        sys.stdout.buffer.write(b'{"id": "' + request["id"].encode() + b'", "error": "baralho inv\xe1lido"}\n')
        sys.stdout.flush()
    else:
        write(honest(request))
