"""Says every answer twice, the second time as that to the request that has the next number."""

from table import honest, requests, write

for _, request in requests():
    answer = honest(request)
    write(answer)
    generation, _, count = request["id"].partition(".")
    write({**answer, "id": f"{generation}.{int(count) + 1}"})
