"""Leaves a child behind at every script, which sleeps on and holds the pipes open; answers well."""

import subprocess

from table import honest, requests, write

for number, request in requests():
    if number:
        subprocess.Popen(["sleep", "600"])
    write(honest(request))
