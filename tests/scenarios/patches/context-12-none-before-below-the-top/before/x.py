import os

import re
value = 1
