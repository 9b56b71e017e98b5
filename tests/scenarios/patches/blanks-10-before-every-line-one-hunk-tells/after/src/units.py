def metres(text):
    number, unit = text.split(" ")
    return float(number) * FACTORS[unit]


def feet(text):
    number, unit = text.split(" ")
    check(unit)
    return float(number)


UNITS = ("m", "ft")
