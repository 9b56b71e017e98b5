"""What a patch is worth: applied to the base, with the tests of the set run on it."""
