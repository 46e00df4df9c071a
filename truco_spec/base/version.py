"""The version of the package. The corpus has its own."""

__version__ = "0.1.0"
