def a():
    one = first()
    two = other(one)

    three = third(two)
    return three
