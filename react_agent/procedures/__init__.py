"""The procedures that come with the package."""
