import os

def a():
    ...


def b():
    one()
