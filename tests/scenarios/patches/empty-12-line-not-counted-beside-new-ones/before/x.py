def a():
    one()
    two()
    last()


def b():
    one()
    pass
    pass
