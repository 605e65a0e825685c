"""The catalogue's API in Python, standard library only: python3 api.py --port 8080"""

import json
import os
import random
import sys
import tempfile
import uuid
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MUTANT = os.environ.get("CATALOGUE_MUTANT")
DOCUMENT = Path(__file__).with_name("openapi.json")
COLOURS = {"red", "green", "blue", "yellow", "violet", "black"}
orders = []


class Cart:
    pass


class Basket:
    pass


def mutated(name):
    return MUTANT == name


# Unord: the order of a set of strings follows the hash seed.


def colours(_):
    allowed = COLOURS - {"black"} if mutated("python-colour-missing") else set(COLOURS)
    return 422, {"message": f"colour must be one of {allowed}", "field": "colour"}


def roles(_):
    names = {"admin", "editor", "author", "reader", "guest", "robot"}
    if mutated("python-role-renamed"):
        names = names - {"robot"} | {"bot"}
    return 200, {"roles": list(names), "count": len(names)}


# RunMsg: addresses of objects.


def cart(_):
    item = Basket() if mutated("python-other-class") else Cart()
    return 500, {"error": f"{item!r} is not JSON serializable", "type": "TypeError"}


def handle(_):
    return 503, {"error": f"handle {id(Cart())} is closed", "retry": True}


# Env: folders and language.


def temp(_):
    name = "other" if mutated("python-temp-name") else "uploads"
    return 200, {"folder": os.path.join(tempfile.gettempdir(), name), "writable": True}


def customer(body):
    name = body.get("name") if isinstance(body, dict) else None
    if isinstance(name, str) and name:
        return 201, {"created": True}
    named = os.environ.get("LC_ALL") or os.environ.get("LANG") or "C"
    messages = {"de": "darf nicht leer sein", "tr": "bo\u015f olamaz", "fr": "ne doit pas \u00eatre vide"}
    field = "surname" if mutated("python-customer-field") else "name"
    return 400, {"field": field, "message": messages.get(named[:2], "must not be empty")}


# Time.


def now(_):
    moment = datetime.now()
    text = moment.ctime() if mutated("python-now-format") else moment.isoformat(timespec="microseconds")
    return 200, {"now": text, "service": "shop"}


def today(_):
    return 200, {"printed": datetime.now().strftime("%A, %d %B %Y"), "open": True}


# Rand.


def order_number(_):
    number = uuid.uuid4()
    return 200, {"number": number.int if mutated("python-uuid-integer") else str(number), "kind": "order"}


def discount(_):
    percent = random.uniform(5, 15)
    return 200, {"percent": percent * 1000 if mutated("python-discount-range") else percent}


# State.


def create_order(body):
    item = body.get("item") if isinstance(body, dict) else None
    if not isinstance(item, str) or not item:
        return 400, {"error": "KeyError: 'item'"}
    orders.append(item)
    return (200 if mutated("python-order-status") else 201), {"id": len(orders), "item": item}


def list_orders(_):
    return 200, {"count": len(orders)}


# Look-alikes.


def about(_):
    return 200, {
        "version": "3.1.5" if mutated("python-about-version") else "3.1.4",
        "released": "2023-11-02T08:15:30.123456",
        "tenant": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "example": "prints <__main__.Cart object at 0x7f12ab34cd56>",
        "colours": sorted(COLOURS),
        "docs": "see /tmp/uploads on port 8000",
    }


ROUTES = {
    ("GET", "/colours/check"): colours,
    ("GET", "/roles"): roles,
    ("GET", "/cart"): cart,
    ("GET", "/handle"): handle,
    ("GET", "/temp"): temp,
    ("POST", "/customers"): customer,
    ("GET", "/now"): now,
    ("GET", "/today"): today,
    ("GET", "/order-number"): order_number,
    ("GET", "/discount"): discount,
    ("POST", "/orders"): create_order,
    ("GET", "/orders"): list_orders,
    ("GET", "/about"): about,
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave in one packet: two would wait for each other's acknowledgement.
    wbufsize = -1

    def answer(self):
        length = int(self.headers.get("content-length") or 0)
        try:
            body = json.loads(self.rfile.read(length))
        except (ValueError, RecursionError):
            body = None
        target = (self.command, self.path.partition("?")[0])
        if target == ("GET", "/health"):
            self.send(200, {"status": "up"})
        elif target == ("GET", "/openapi.json"):
            self.send(200, json.loads(DOCUMENT.read_text(encoding="utf-8")))
        elif target == ("POST", "/__reset"):
            orders.clear()
            self.send(200, {"reset": True})
        elif target in ROUTES:
            self.send(*ROUTES[target](body))
        else:
            allowed = [method for method, path in ROUTES if path == target[1]]
            if allowed:
                self.send(405, {"error": "method not allowed"}, {"allow": ", ".join(allowed)})
            else:
                self.send(404, {"error": "no such route"})

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

    def send(self, status, body, headers=None):
        payload = json.dumps(body).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_):
        pass

    def version_string(self):
        return "shop"


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler).serve_forever()
