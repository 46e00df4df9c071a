"""The reference engine over the pipe: right in everything."""

from table import requests, write

from truco_spec.base.shapes import plain, read
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import OwnDeals, Script

engine = Reference()
for _, request in requests():
    if request["do"] == "hello":
        answer = plain(engine.hello())
    elif request["do"] == "deal":
        answer = {"deals": plain(engine.deal(read(request["deal"], OwnDeals)))}
    else:
        answer = {"hands": plain(engine.run(read(request["script"], Script)))}
    write({"id": request["id"], **answer})
