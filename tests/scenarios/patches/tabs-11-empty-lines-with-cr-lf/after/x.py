def a():
    one()

    two()
