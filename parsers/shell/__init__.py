"""Shell lines and calls in other agents' words: what they run, and which of our tools does it."""
