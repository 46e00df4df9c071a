"""Says something that is no answer to the second script."""

from table import honest, requests, write

for number, request in requests():
    write("\x1b[31mtruco!" if number == 2 else honest(request))
