def a():
    one()
    two()

    three()


def b():
    four()
