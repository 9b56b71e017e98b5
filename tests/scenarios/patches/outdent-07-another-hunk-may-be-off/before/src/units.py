def metres(text):
    number, unit = text.split(" ")
    return float(number)


def feet(text):
    number, unit = text.split(" ")
    return float(number)


UNITS = ("m", "ft")
