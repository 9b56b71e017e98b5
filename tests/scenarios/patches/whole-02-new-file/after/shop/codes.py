CODES = {}


def known(code):
    return code in CODES
