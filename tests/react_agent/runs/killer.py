"""The program, but that it is killed at a given write to the transcript of a run."""

# Dies at the given write to the transcript: before it, within it, before or after its sync.
KILLER = """
import os, sys
from react_agent.state import transcript
from react_agent.cli.main import main

number, how = int(sys.argv.pop(1)), sys.argv.pop(1)
write, sync = os.write, os.fsync
writes = []

def die():
    os.kill(os.getpid(), 9)

class Shim:
    def __getattr__(self, name):
        return getattr(os, name)

    def write(self, descriptor, data):
        writes.append(data)
        if len(writes) == number and how == "before":
            die()
        if len(writes) == number and how == "within":
            write(descriptor, data[: len(data) // 2])
            die()
        return write(descriptor, data)

    def fsync(self, descriptor):
        if len(writes) == number and how == "unsynced":
            die()
        sync(descriptor)
        if len(writes) == number and how == "after":
            die()

transcript.os = Shim()
main()
"""
