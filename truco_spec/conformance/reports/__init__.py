"""Reports of a run: one stream of events, and renderers that know nothing else; each is imported when it is used."""
