def a():
    one()
    two()

    
