"""Repeatable measurements, as ratios: ``python -m bench``."""
