import json
import sqlite3


class FileStore:
    def __init__(self, path):
        self.path = path
        self.cache = {}

    def open(self):
        self.handle = self.path.open()
        return self

    def close(self):
        self.cache.clear()
        self.handle.close()
        self.handle = None

    def get(self, key):
        return self.cache.get(key)


class MemoryStore:
    def __init__(self):
        self.cache = {}

    def get(self, key):
        return self.cache.get(key)

    def size(self):
        return len(self.cache)


class SqlStore:
    def __init__(self, path):
        self.path = path
        self.cache = {}

    def open(self):
        self.handle = sqlite3.connect(self.path)
        return self

    def close(self):
        self.cache.clear()
        self.handle.close()
        self.handle = None

    def dump(self):
        return json.dumps(self.cache)
