"""Dies at the second script."""

import sys

from table import honest, requests, write

for number, request in requests():
    if number == 2:
        sys.exit("the pack fell under the table")
    write(honest(request))
