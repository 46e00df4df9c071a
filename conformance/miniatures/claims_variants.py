"""Claims every variant and any number of players, and plays Paulista with four."""

from table import HELLO, honest, requests, write

CLAIMED = {name: {"players": [2, 4, 6, 99]} for name in ("paulista", "mineiro", "truco-of-the-moon")}
for _, request in requests():
    if request["do"] == "hello":
        write({"id": request["id"], **HELLO, "variants": CLAIMED})
    elif request["script"]["variant"] != "paulista" or len(request["script"]["players"]) != 4:
        write({"id": request["id"], "error": "what is that?"})
    else:
        write(honest(request))
