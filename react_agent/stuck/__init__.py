"""Whether a run goes round without getting anywhere, and what is done about it."""
