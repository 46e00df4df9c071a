"""The conformance corpus, the protocol, and the judge of anybody's implementation."""
