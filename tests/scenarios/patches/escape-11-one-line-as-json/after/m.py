print("a\n")
x = 2
