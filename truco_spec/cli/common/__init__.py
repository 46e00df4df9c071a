"""What several verbs share: files and variants they are given, progress, limits, reports."""
