import os

def a():
  one = 1
  two = 22
  three = 3

def b():
  four = 4
  five = 55
  
  six = 6
  seven = 7
