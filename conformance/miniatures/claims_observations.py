"""Claims to see everything, its own deals too, and tells the stake only."""

from table import HELLO, honest, requests, write

for _, request in requests():
    if request["do"] == "hello":
        write({"id": request["id"], **HELLO, "observes": ["stake", "trick", "leader", "view", "legal", "deal", "moon"]})
    elif request["do"] == "deal":
        write({"id": request["id"], "deals": []})
    else:
        write(honest(request))
