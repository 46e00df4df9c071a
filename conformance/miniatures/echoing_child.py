"""Answers one script well, and has a child that says the same answer again, a moment later."""

import os
import time

from table import due, honest, requests, write

for _, request in requests():
    write(honest(request))
    if due(request) and os.fork() == 0:
        time.sleep(0.05)
        write(honest(request))
        os._exit(0)
