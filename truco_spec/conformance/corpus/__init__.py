"""The cases: read from YAML, filled with cards, and as scripts ready to send.

In: ``conformance/cases/*.yaml``, and the JSON lines made from them. Out: a
:class:`~truco_spec.conformance.corpus.protocol.Script` for each request, with its checks. Begin with ``cases``, then
``ready``.
"""
