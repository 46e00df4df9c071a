"""Claims options that it does not heed."""

from table import HELLO, honest, requests, write

OPTIONS = {"tied-hand": ["nobody", "dealer"]}
for _, request in requests():
    if request["do"] == "hello":
        write({"id": request["id"], **HELLO, "variants": {"paulista": {"players": [4], "options": OPTIONS}}})
    else:
        write(honest(request))
