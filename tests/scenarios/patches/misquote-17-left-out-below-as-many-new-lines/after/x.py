import os

def a():
    one()
    two()
    drei()
    four()
    five()
    return six()
