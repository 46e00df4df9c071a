"""Every observation is wrong."""

from table import honest, requests, write

for _, request in requests():
    write(honest(request, stake=-1))
