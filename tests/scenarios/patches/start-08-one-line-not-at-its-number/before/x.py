def a():
    for n in rows:
        n.close()

    return rows


def b():
    return 1

def c():
    for n in rows:
        n.close()
    
    done()
