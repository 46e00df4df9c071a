"""Gives the second answer the number of the third request."""

from table import honest, requests, write

for number, request in requests():
    answer = honest(request)
    if number == 2:
        generation, _, count = request["id"].partition(".")
        answer["id"] = f"{generation}.{int(count) + 1}"
    write(answer)
