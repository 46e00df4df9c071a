"""Logs of games: notation, files, one line, and the replay that judges them."""
