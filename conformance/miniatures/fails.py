"""Reports a fault of its own at the second script, and goes on."""

from table import honest, requests, write

for number, request in requests():
    write({"id": request["id"], "error": "the pack is sticky"} if number == 2 else honest(request))
