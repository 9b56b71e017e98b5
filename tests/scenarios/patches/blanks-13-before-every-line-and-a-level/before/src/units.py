def metres(text):
    number, unit = text.split()
    return number
