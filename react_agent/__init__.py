"""An issue becomes a pull request, with any model that can write text."""
