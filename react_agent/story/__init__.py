"""A run read back, for people: what happened, and what the model saw of it."""
