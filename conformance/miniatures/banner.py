"""Greets before it says hello."""

from table import honest, requests, write

write("Welcome to Truco 3000")
for _, request in requests():
    write(honest(request))
