"""The conformance corpus, the protocol, and the judge of anybody's implementation.

In: YAML cases (``corpus``), an implementation (``adapters``). Out: verdicts (``runner``), reports (``reports``),
random hands that fail (``fuzz``), what explains its answers (``fit``), clauses traced to rules and cases (``trace``).
Begin with ``corpus.protocol``, then ``runner.runner``.
"""
