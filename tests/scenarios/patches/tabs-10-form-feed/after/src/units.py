def metres(text):
    number, unit = text.split()
    check(unit)
    return number
