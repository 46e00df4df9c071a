"""The verbs: ``truco-spec x`` is ``command`` in the module ``x``, imported only when it is asked for."""
