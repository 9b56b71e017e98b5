def a():
    one()
    two()
    four()
    five()
    six()
    seven()
