"""Rulebooks for people, from the rule graph and the corpus alone.

In: a graph and a language. Out: a book as HTML or Markdown, with an example for a rule where a case shows it at work.
Begin with ``whole``, then ``book``.
"""
