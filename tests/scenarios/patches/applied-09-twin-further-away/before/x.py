def read(path):
    check(path)
    text = load(path, "utf-8")
    return text


def write(path):
    check(path)
    text = load(path)
    return text
