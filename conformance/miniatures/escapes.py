"""Leaves a process behind in a session of its own, which holds all pipes; its number is written to a file."""

import os
import sys
import time

from table import honest, requests, write

for number, request in requests():
    if number == 1 and os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        with open(sys.argv[1], "w") as file:
            file.write(str(os.getpid()))
        time.sleep(600)
    write(honest(request))
