import os

def a():
    one()
    two()
    three()
    return four()
