NAME = re.compile(r"^\w+")
VALUE = re.compile(r"=x(.*)x")
ESCAPE = re.compile(r"y(.)")
OTHER = re.compile(r"y(.)")
def split(values):
    r"""Parse the values."""
    return NAME.match(values)
