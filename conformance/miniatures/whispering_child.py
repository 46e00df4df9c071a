"""Hangs at one script, while a child of it answers whatever numbers the next requests might have."""

import os
import time

from table import due, honest, requests, write

for _, request in requests():
    if due(request):
        if os.fork() == 0:
            generation, _, count = request["id"].partition(".")
            for ahead in range(1, 20):
                write({**honest(request), "id": f"{generation}.{int(count) + ahead}"})
                write({**honest(request), "id": f"{int(generation) + 1}.{ahead}"})
        time.sleep(600)
    write(honest(request))
