"""Dies at one script, and leaves a child that holds the pipes open."""

import subprocess
import sys

from table import due, honest, requests, write

for _, request in requests():
    if due(request):
        subprocess.Popen(["sleep", "600"])
        sys.exit("the pack fell under the table")
    write(honest(request))
