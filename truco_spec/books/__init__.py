"""Books and the site for people, from the rule graph and the corpus alone.

In: graphs, cases, catalogs of translations. Out: a rulebook in three languages, and static pages. Begin with
``whole`` (then ``book``) or ``site.pages``.
"""
