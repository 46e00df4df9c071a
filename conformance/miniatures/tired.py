"""Dies at the twentieth script that a process is asked, whichever that is."""

import sys

from table import honest, requests, write

for number, request in requests():
    if number == 20:
        sys.exit("good night")
    write(honest(request))
