"""A shop whose answers hold values that vary beside values that do not."""

import collections
import datetime
import http.server
import itertools
import json
import os
import sys
import tempfile
import threading
import uuid

TAGS = ["green", "blue", "red"]
ATTEMPTS = collections.defaultdict(lambda: itertools.count(1))
LOCK = threading.Lock()


def order(number, attempt):
    turned = TAGS[attempt % 3 :] + TAGS[: attempt % 3]
    return {
        "id": number,
        "item": "lamp",
        "createdAt": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        "requestId": str(uuid.uuid4()),
        "tags": turned,
        "spool": os.path.join(tempfile.gettempdir(), "orders.spool"),
        "supplier": "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    }


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with LOCK:
            path = self.path.split("?")[0]
            attempt = next(ATTEMPTS[path])
        if path == "/version":
            self.answer(200, {"version": "1.4.2", "released": "2024-03-01"})
        elif path == "/quote":
            jitter = attempt * 37 % 100
            self.answer(200, {"base": 500, "jitter": jitter, "total": 500 + jitter, "currency": "EUR"})
        elif path.startswith("/orders/") and path[8:].isdigit():
            self.answer(200, order(int(path[8:]), attempt))
        else:
            incident = f"shop.Incident@{attempt * 7919 + 1048576:x}"
            self.answer(404, {"error": "not found", "incident": incident})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Shop)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
