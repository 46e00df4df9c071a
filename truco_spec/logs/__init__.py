"""Logs of games: notation, files, one line, and the replay that judges them.

In: text in players' notation, or YAML. Out: a :class:`~truco_spec.logs.line.Log`, and its steps with the engine's
verdict and explanation (:class:`~truco_spec.logs.replay.Replay`). Begin with ``line``, then ``replay``.
"""
