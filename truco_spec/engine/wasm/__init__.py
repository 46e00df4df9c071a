"""The second body of a graph: WebAssembly. In: a linked graph. Out: a module that plays it, and a game on that module.

Begin with :mod:`~truco_spec.engine.wasm.native`; ``module`` writes the text, ``runtime.wat`` is what all modules share.
"""
