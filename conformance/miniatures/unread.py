"""Says hello, and never reads again."""

import time

from table import honest, requests, write

for _, request in requests():
    write(honest(request))
    time.sleep(600)
