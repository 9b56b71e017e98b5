def a():
    one()
    two()
    three()

    
