def a():
    one()
    two()

def b():
    x = 1
    done(x)

def c():
    x = 1
    done(x)
