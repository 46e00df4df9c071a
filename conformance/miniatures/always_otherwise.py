"""Claims always to play an option that the variant does not have."""

from table import HELLO, honest, requests, write

for _, request in requests():
    if request["do"] == "hello":
        write({"id": request["id"], **HELLO, "variants": {"paulista": {"players": [4], "always": {"moon": "full"}}}})
    else:
        write(honest(request))
