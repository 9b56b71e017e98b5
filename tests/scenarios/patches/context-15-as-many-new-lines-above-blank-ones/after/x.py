def a():
    one()
    zwei()

    three()


def b():
    four()
