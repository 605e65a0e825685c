"""Contacts that know their own address: by the Host they are asked at, by the port they listen on, and by neither."""

import itertools
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

PORT = int(sys.argv[1])
NUMBERS = itertools.count(1)
CONTACTS = {}


class Contacts(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=None, **headers):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if body is not None:
            self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def contact(self, number):
        base = f"http://{self.headers['host']}"
        return {
            "name": CONTACTS[number],
            "self": f"{base}/contacts/{number}",
            "login": f"/login?next={quote(base, safe='')}%2Fcontacts",
            "about": f"Contact {number} of {self.headers['host']}, served on port {PORT}.",
            "own": f"http://localhost:{PORT}/contacts/{number}",
            "port": PORT,
            "links": [f"{base}/a", f"{base}/b"],
        }

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        try:
            body = json.loads(self.rfile.read(length))
        except ValueError:
            body = None
        if self.path != "/contacts":
            return self.answer(404)
        if not isinstance(body, dict) or not isinstance(body.get("name"), str):
            return self.answer(400, {"error": f"see http://{self.headers['host']}/help"})
        number = next(NUMBERS)
        CONTACTS[number] = body["name"]
        return self.answer(201, self.contact(number), location=f"http://{self.headers['host']}/contacts/{number}")

    def do_GET(self):
        if self.path == "/health":
            return self.answer(200, {"ok": True})
        number = self.path.removeprefix("/contacts/")
        if self.path.startswith("/contacts/") and number.isdigit() and int(number) in CONTACTS:
            return self.answer(200, self.contact(int(number)))
        return self.answer(404, {"error": f"http://{self.headers['host']} has no such contact"})

    def do_DELETE(self):
        number = self.path.removeprefix("/contacts/")
        known = number.isdigit() and CONTACTS.pop(int(number), None) is not None
        return self.answer(204 if known else 404)

    def log_message(self, *_arguments):
        pass


ThreadingHTTPServer(("127.0.0.1", PORT), Contacts).serve_forever()
