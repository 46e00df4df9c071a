"""Answers well, and does not go when it is told to, nor when it is asked politely."""

import json
import signal
import sys
import time

from table import honest, write

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] != "bye":
        write(honest(request))
time.sleep(600)
