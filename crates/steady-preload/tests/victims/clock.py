"""Imitates a service: for every line it reads, it says what each of its clocks shows."""

import datetime
import os
import subprocess
import sys
import time

SECOND = 1_000_000_000


def walls():
    yield "time.time", int(time.time() * SECOND)
    yield "time.time_ns", time.time_ns()
    yield "datetime.now", int(datetime.datetime.now(datetime.timezone.utc).timestamp() * SECOND)
    today = datetime.datetime.now().replace(hour=12, minute=0, second=0, microsecond=0)
    assert today.date() == datetime.date.today(), "two ways to ask for the day"


def in_a_fork():
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, str(time.time_ns()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        return int(pipe.read())


def in_a_child():
    command = [sys.executable, "-c", "import time; print(time.time_ns())"]
    return int(subprocess.run(command, check=True, capture_output=True).stdout)


for _ in sys.stdin:
    for source, value in walls():
        print("wall", source, value)
    print("wall", "fork", in_a_fork())
    print("wall", "child", in_a_child())
    print("monotonic", "time.monotonic_ns", time.monotonic_ns())
    print("end", flush=True)
