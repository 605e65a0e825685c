"""Tests that notice what only the preload shim can change."""

import pathlib
import random
import socket
import time

DRAWN = pathlib.Path("drawn.txt")


def test_never_draws_twice():
    number = str(random.getrandbits(128))
    before = DRAWN.read_text().split() if DRAWN.exists() else []
    DRAWN.write_text("\n".join([*before, number]))
    assert number not in before


def test_connects_at_once():
    with socket.create_server(("127.0.0.1", 0)) as server:
        began = time.monotonic()
        socket.create_connection(server.getsockname()).close()
        assert time.monotonic() - began < 0.39
