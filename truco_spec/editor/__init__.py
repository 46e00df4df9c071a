"""Help for whoever writes rules, cases and logs in an editor: the language server.

In: the texts that an editor has open, as they are typed, and the files beside them. Out: mistakes with repairs, what a
name or citation means, and edits, each at offsets of a text. ``server`` speaks the language server protocol and holds
nothing else; ``texts`` holds the texts, ``occurrences`` knows where each name stands. Begin with ``texts``.
"""
