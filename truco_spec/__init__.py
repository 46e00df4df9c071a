"""An executable standard for Truco."""
