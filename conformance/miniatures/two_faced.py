"""Dies at one script, and claims more when it is started again."""

import sys
from pathlib import Path

from table import HELLO, due, honest, requests, write

been_here = Path(sys.argv[1])
before = been_here.exists()
for _, request in requests():
    if request["do"] == "hello" and before:
        write({"id": request["id"], **HELLO, "observes": ["stake", "trick"]})
    elif due(request):
        been_here.touch()
        sys.exit(1)
    else:
        write(honest(request))
