def a():
    one()
    two()

