"""Which game does an implementation play? The rules that explain its answers, found by trying them out.

In come an adapter and a variant, out comes a fit: options, causes that no option explains, and what stays unexplained.
``evidence`` asks, ``mutants`` makes rules with one fault, ``fit`` searches; begin there. ``fit_report`` tells it.
"""
