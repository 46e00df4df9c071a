"""Answers in pairs, the second first, whenever two requests are there; each answer has its own number."""

import os
import selectors
import sys
from json import loads

from table import honest, write

os.set_blocking(0, False)
selector = selectors.DefaultSelector()
selector.register(0, selectors.EVENT_READ)
rest = b""
while True:
    selector.select()
    chunk = os.read(0, 1 << 16)
    if not chunk:
        sys.exit()
    *lines, rest = (rest + chunk).split(b"\n")
    asked = [loads(line) for line in lines]
    if any(request["do"] == "bye" for request in asked):
        sys.exit()
    for one, other in zip(asked[::2], [*asked[1::2], None], strict=False):
        for request in (other, one):
            if request is not None:
                write(honest(request))
