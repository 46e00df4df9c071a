"""The verbs: ``truco-spec x`` is ``command`` in the module ``x``, imported on demand."""
