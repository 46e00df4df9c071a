"""Compares rules: how variants differ, what decides a dispute, and the table of all variants.

In: two or more sets of rules, with a log or without one. Out: where they part, a witness, the rule and its authority.
Begin with ``core``, which is shared; ``differences``, ``disputes`` and ``questions`` are the three verbs that use it.
"""
