"""Hangs at the second script, with a child that would outlive it; writes both process ids to a file if told."""

import os
import subprocess
import sys
import time

from table import honest, requests, write

for number, request in requests():
    if number == 2:
        child = subprocess.Popen(["sleep", "600"])
        if len(sys.argv) > 1:
            with open(sys.argv[1], "w") as file:
                file.write(f"{os.getpid()} {child.pid}")
        time.sleep(600)
    write(honest(request))
