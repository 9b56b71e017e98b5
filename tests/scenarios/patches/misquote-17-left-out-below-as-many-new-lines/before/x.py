import os

def a():
    one()
    two()
    three()
    four()
    five()
    return six()
