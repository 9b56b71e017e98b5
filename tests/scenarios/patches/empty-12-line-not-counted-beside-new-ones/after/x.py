def a():
    one()
    two()
    three()
    last()


def b():
    one()
    pass
    pass
