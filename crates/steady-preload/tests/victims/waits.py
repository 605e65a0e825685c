"""Imitates a program that waits in every way Python has. With the argument `durations`, only in those ways that must
not notice a clock that jumps while they wait."""

import asyncio
import multiprocessing
import queue
import select
import subprocess
import sys
import threading
import time

SECONDS = 0.15


def sleep():
    time.sleep(SECONDS)


def event():
    assert not threading.Event().wait(SECONDS)


def lock():
    held = threading.Lock()
    held.acquire()
    assert not held.acquire(timeout=SECONDS)


def condition():
    waiting = threading.Condition()
    with waiting:
        assert not waiting.wait(SECONDS)


def thread_join():
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    thread.join(SECONDS)
    assert thread.is_alive()
    end.set()


def thread_queue():
    try:
        queue.Queue().get(timeout=SECONDS)
    except queue.Empty:
        return
    raise AssertionError


def timer():
    fired = threading.Event()
    threading.Timer(SECONDS, fired.set).start()
    fired.wait()


def selected():
    assert select.select([], [], [], SECONDS) == ([], [], [])


def child():
    try:
        subprocess.run(["sleep", "60"], timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return
    raise AssertionError


def event_loop():
    asyncio.run(asyncio.sleep(SECONDS))


def event_loop_timeout():
    async def wait():
        try:
            await asyncio.wait_for(asyncio.Event().wait(), SECONDS)
        except asyncio.TimeoutError:
            return
        raise AssertionError

    asyncio.run(wait())


def process_semaphore():
    assert not multiprocessing.Semaphore(0).acquire(timeout=SECONDS)


def process_condition():
    waiting = multiprocessing.Condition()
    with waiting:
        assert not waiting.wait(SECONDS)


def process_queue():
    try:
        multiprocessing.Queue().get(timeout=SECONDS)
    except queue.Empty:
        return
    raise AssertionError


DURATIONS = [
    sleep, event, lock, condition, thread_join, thread_queue, timer, selected, child, event_loop, event_loop_timeout
]
DEADLINES = [process_semaphore, process_condition, process_queue]

for wait in DURATIONS if sys.argv[1:] == ["durations"] else DURATIONS + DEADLINES:
    start = time.monotonic_ns()
    wait()
    print("waited", wait.__name__, time.monotonic_ns() - start, int(SECONDS * 1e9), flush=True)
print("end", flush=True)
