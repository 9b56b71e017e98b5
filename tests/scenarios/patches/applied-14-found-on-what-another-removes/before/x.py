def a():
    count = 1
    for n in rows:
        if n:
            return None

            return None


def b():
    count = 2
    for n in rows:
        if n:


