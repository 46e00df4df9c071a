"""Shared by several verbs: files and variants as arguments, progress, limits, reports."""
