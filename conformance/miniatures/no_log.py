"""Closes its standard error before anything else, and answers well."""

import os

from table import honest, requests, write

os.close(2)
for _, request in requests():
    write(honest(request))
