def metres(text):
    number, unit = text.split()
    check(unit)
    return float(number)


def feet(text):
    number, unit = text.split()
    check(unit)
    log(unit)
    return float(number)
