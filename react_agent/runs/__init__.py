"""All runs of a person: listed, and removed when they are no longer needed."""
