"""List a user's runs, and remove those that are no longer needed."""
