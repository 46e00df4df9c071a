"""Answers the second script with short lines without end."""

from table import honest, requests, write

for number, request in requests():
    while number == 2:
        write("truco!")
    write(honest(request))
