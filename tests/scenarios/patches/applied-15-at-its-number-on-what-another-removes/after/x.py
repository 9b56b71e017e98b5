def a():
    count = 3
    for n in rows:
        if n:


def b():
    count = 2
    for n in rows:
        if n:


