"""The site: books, clauses, cases with replays, graphs and a search, as static pages that need no network."""
