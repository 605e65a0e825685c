"""A small API: what surrounds it shows in its answers. `python3 api.py PORT`."""

import datetime
import json
import os
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SEEDED = 1
items = SEEDED


def surroundings():
    return {
        "pid": os.getpid(),
        "now": int(time.time()),
        "offset": datetime.datetime.now().astimezone().utcoffset().total_seconds(),
        "tmp": tempfile.gettempdir(),
        "hash": hash("steady"),
        "random": os.urandom(8).hex(),
        "language": os.environ.get("LC_ALL"),
        "items": items,
    }


class Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/crash":
            print("about to crash", flush=True)
            os._exit(3)
        self.answer(503 if self.path == "/unwell" else 200, surroundings())

    def do_POST(self):
        global items
        if self.path == "/__reset":
            items = SEEDED
            self.answer(204, None)
        elif self.path == "/items":
            items += 1
            self.answer(201, surroundings())
        elif self.path == "/stop":
            with open("stopped", "w") as file:
                print("by request", file=file)
            self.answer(202, {})
            os._exit(0)
        else:
            self.answer(403, {"error": "not allowed to do this"})

    def answer(self, status, body):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Api).serve_forever()
