def a():
    one()
    two()
    

