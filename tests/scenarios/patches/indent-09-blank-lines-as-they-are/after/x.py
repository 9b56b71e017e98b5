def a():
    eins()
    
    two()
    
    three()
