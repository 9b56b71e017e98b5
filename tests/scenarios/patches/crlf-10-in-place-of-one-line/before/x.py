one
two
three
