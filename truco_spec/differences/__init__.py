"""How two variants differ: statement by statement, and for each difference the shortest log that shows it in play."""
