def metres(text):
    number, unit = text.split()
        ready(number)
    return number
