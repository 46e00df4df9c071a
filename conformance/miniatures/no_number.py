"""Tells a stake that is no number, as JSON has them."""

from table import due, honest, requests, write

for _, request in requests():
    write(honest(request, stake=float("nan")) if due(request) else honest(request))
