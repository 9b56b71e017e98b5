"""Sets of issues: read, written, made out of a history, checked."""
