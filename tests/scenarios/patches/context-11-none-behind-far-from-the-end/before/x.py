def a():
    one()
    two()


def b():
    one()
    pass
    pass
