"""Answers the second script long after its time, and then at once whatever comes."""

import time

from table import honest, requests, write

for number, request in requests():
    if number == 2:
        time.sleep(1.5)
    write(honest(request))
