"""Gives too few entries for the second script."""

from table import honest, requests, write

for number, request in requests():
    answer = honest(request)
    if number == 2:
        answer["hands"][0]["seen"] = []
    write(answer)
