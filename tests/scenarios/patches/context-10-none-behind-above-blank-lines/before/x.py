def a():
    one()
    two()


