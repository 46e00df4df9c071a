"""Reads whatever is there before it answers, and dies of a script long before its turn: reads_ahead.py POINTS."""

import os
import queue
import sys
import threading
import time

from table import honest, requests, write

points = int(sys.argv[1])
waiting = queue.SimpleQueue()


def answer():
    while (request := waiting.get()) is not None:
        time.sleep(0.002)
        write(honest(request))


worker = threading.Thread(target=answer)
worker.start()
for _, request in requests():
    if request["do"] == "run" and request["script"]["score"].get("P1") == points:
        os._exit(1)
    waiting.put(request)
waiting.put(None)
worker.join()
