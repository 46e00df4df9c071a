"""Which game does an implementation play? The rules that explain its answers, found by trying them out.

In: an adapter and a variant. Out: a fit: options, causes that no option explains, and what stays unexplained.
Begin with ``fit``, which searches; ``evidence`` asks, ``mutants`` makes rules with one fault, ``fit_report`` shows it.
"""
