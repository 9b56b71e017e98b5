import os

def a():
  one = 1
  two = 2
  three = 3

def b():
  four = 4
  five = 5
  
  six = 6
  seven = 7
