def metres(text):
    return text

 
