start()
setup()
limit = 3
rows = [
    0,
    0,
    0,
    0,
    1,
    0,
]
