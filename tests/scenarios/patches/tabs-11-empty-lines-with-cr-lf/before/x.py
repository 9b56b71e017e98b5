def a():
    one()
    two()
