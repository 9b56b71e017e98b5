"""What the transcripts of an attempt tell: what it took, and why it came to nothing."""
