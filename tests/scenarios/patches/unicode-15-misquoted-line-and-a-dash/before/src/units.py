def metres(text):
    number, unit = text.split(" ")
    if unit == "m":
        return float(number)
    if unit == "km":
        return 1000 * float(number)
    raise ValueError("no such unit")
