import re
x = 1
