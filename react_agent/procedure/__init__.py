"""Roles that take turns, each turn a run of its own on the same files."""
