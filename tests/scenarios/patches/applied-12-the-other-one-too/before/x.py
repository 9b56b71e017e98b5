def a():
    old()
    return 1

ROWS = [
    0,
    0,
    0,
    0,
]
