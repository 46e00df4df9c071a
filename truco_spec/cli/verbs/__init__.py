"""The verbs: ``truco-spec x`` is ``command`` in module ``x``, or ``x_command`` in one that ``cli.commands`` names."""
