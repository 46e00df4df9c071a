"""Disputes: one log put to many agreements; where they part, why, and under which of them a claim is right."""
