"""From trees to the rule graph: linked, typed, lowered to a few core things, checked and drawn."""
