print("a\n")
x = 1
