import os

def a():
    one()
    zwei()
    drei()
    return four()
