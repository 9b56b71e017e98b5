def metres(text):
    number, unit = text.split()
    if unit == "m":
	check(number)
	return float(number)
    return None
