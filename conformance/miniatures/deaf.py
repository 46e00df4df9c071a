"""Closes its standard input and output after hello, and stays."""

import os
import time

from table import honest, requests, write

for _, request in requests():
    write(honest(request))
    os.close(1)
    os.close(0)
    time.sleep(600)
