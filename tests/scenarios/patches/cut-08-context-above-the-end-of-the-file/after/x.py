def a():
    one()
    two()
    drei()
    four()
    five()
    six()
