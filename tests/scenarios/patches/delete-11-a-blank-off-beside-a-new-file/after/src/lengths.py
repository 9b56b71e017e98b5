def metres(text):
    return float(text)
