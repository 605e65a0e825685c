"""Imitates a client that measures how long it takes to connect."""

import socket
import time

for family, host in [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]:
    with socket.socket(family) as server, socket.socket(family) as client:
        try:
            server.bind((host, 0))
        except OSError:
            continue
        server.listen()
        start = time.monotonic_ns()
        client.connect(server.getsockname())
        print("connected", family.name, time.monotonic_ns() - start)
print("end")
