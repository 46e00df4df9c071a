"""Talks on standard output before the second answer."""

from table import honest, requests, write

for number, request in requests():
    if number == 2:
        write("dealing …")
    write(honest(request))
