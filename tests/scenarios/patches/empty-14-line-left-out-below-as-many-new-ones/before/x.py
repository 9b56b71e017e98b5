def a():
    one = first()
    two = second(one)

    three = third(two)
    return three
