def metres(text):
    number, unit = text.split(" ")
    if unit == "m":
        return float(number)
    if unit == "km":
        return 1000 * float(number)
    if unit == "cm":  # metres — not feet
        return float(number) / 100
    raise ValueError("no such unit")
