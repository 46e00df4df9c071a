"""Books of rules for people, from the rule graph and the corpus alone."""
