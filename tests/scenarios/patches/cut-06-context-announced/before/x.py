def a():
    one()
    two()
    three()
    four()
    five()
    six()
    seven()
