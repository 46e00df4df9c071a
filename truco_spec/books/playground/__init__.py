"""The playground: rules written, checked, printed and played in a page, by this package in the browser's own Python.

In: the npm package ``pyodide``, this installation. Out: files of the site. Begin with ``bundled``, then ``answers``.
"""
