"""Targets of a script: a program behind pipes, a Python object, the reference engine, a baseline player.

In: requests of the protocol. Out: answers, or the reason why there is none; time, memory and output are bounded. Begin
with ``pipe``.
"""
