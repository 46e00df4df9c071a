"""Compares rules: how variants differ, what decides a dispute, and the table of all variants.

In: two or more sets of rules, with a log or without one. Out: where they part, a witness, the rule and its authority.
Begin with ``scenario`` (two sides and a log), which all share, as they do ``statements``, ``reach`` and ``derivation``;
``diff_report`` has the differences of two variants, each with its shortest log or a proof that there is none,
``disputes`` one log under many agreements, ``questions`` the table.
"""
