"""Is killed at the second script."""

import os
import signal

from table import honest, requests, write

for number, request in requests():
    if number == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    write(honest(request))
