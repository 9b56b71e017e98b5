"""Going back: what a run assumed wrongly is found, proved wrong, and taken back."""
