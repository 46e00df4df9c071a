"""What people ask of a game, answered for every variant from its graph: the table of all variants."""
