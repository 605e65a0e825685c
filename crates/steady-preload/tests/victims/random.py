"""Imitates a program that draws from every source Python has, in a fork and in a thread as well."""

import os
import random
import secrets
import threading
import uuid


def in_a_fork():
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, uuid.uuid4().hex.encode())
        os._exit(0)
    os.wait()
    os.close(writer)
    with os.fdopen(reader) as pipe:
        return pipe.read()


def in_a_thread():
    drawn = []
    thread = threading.Thread(target=lambda: drawn.append(uuid.uuid4().hex))
    thread.start()
    thread.join()
    return drawn[0]


def from_the_device():
    with open("/dev/urandom", "rb", buffering=0) as device:
        return device.read(8).hex()


print("drawn random", random.getrandbits(64))
print("drawn uuid4", uuid.uuid4().hex)
print("drawn secrets", secrets.token_hex())
print("drawn hash", hash("text"))
print("drawn device", from_the_device())
print("drawn fork", in_a_fork())
print("drawn another-fork", in_a_fork())
print("drawn thread", in_a_thread())
print("end")
