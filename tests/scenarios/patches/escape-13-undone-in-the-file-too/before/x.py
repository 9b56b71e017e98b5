NAME = re.compile(r"^\w+")
VALUE = re.compile(r"=\"(.*)\"")
ESCAPE = re.compile(r"\\(.)")
def split(values):
    r"""Parse the values."""
    return NAME.match(values)
