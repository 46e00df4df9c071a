"""An honest table."""

from table import honest, requests, write

for _, request in requests():
    write(honest(request))
