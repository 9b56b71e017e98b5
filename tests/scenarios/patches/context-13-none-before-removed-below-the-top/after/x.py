import os

import sys
value = 1
