"""Closes its standard input at one script, and stays without an answer."""

import os
import time

from table import due, honest, requests, write

for _, request in requests():
    if due(request):
        os.close(0)
        time.sleep(600)
    write(honest(request))
