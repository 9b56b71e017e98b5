"""Several independent runs of one issue, and the choice among what they made."""
