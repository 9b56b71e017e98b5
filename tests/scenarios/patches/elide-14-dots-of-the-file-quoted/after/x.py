import os

def a():
    ...
# more

def b():
    one()
