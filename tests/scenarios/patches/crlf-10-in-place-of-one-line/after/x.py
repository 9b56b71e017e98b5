eins
two
three
