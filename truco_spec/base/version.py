"""The version of the package. The corpus is versioned separately."""

__version__ = "0.1.0"
