"""A reader as a process of its own: each line of standard input is a job, each line it prints says how that went.

With a file name as its argument it prints the first record of that one job and ends.
"""

import json
import os
import sys
import time


class Seen:
    """Which records a job gave: how many, how many different ones, and how many that the transformations reached."""

    def __init__(self, job):
        self.is_wide = job["shape"] == "wide"
        self.records = 0
        self.changed = 0
        self.ids = bytearray(job["highestId"] + 1)

    def add(self, record):
        self.records += 1
        self.ids[record["id"]] = 1
        if self.is_wide and "label" in record and "notes" not in record:
            self.changed += 1

    def summary(self):
        return {"records": self.records, "distinct": sum(self.ids), "changed": self.changed}


def serve(read, write=None):
    """`read(job, take)` gives every record to `take`; `write(job)` fills a database and returns what is in it."""
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as file:
            show_first(read, json.load(file))
    # What a library prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = open(1, "w", closefd=False)
    print(json.dumps({"isReady": True}), file=answers)
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(measure(job, read, write)), file=answers)


def measure(job, read, write):
    if job["database"] is not None:
        started = time.perf_counter()
        count = write(job)
        return {"seconds": time.perf_counter() - started, **count()}
    seen = Seen(job)
    started = time.perf_counter()
    read(job, seen.add)
    return {"seconds": time.perf_counter() - started, **seen.summary()}


def show_first(read, job):
    def show(record):
        os.write(1, f"{record['name']}\n".encode())
        os._exit(0)

    read(job, show)
