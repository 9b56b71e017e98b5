def metres(text):
    number, unit = text.split()
    if unit == "m":
	return float(number)
    return None
