"""Tests of an application in their own process."""

import datetime
import json

import httpx


def shop(environ, start_response):
    today = datetime.date.today().isoformat()
    body = json.dumps({"today": today, "item": "lamp", "hour": "2:00:04 PM"}).encode()
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S GMT")
    start_response("200 OK", [("Content-Type", "application/json"), ("Date", now)])
    return [body]


client = httpx.Client(transport=httpx.WSGITransport(app=shop), base_url="http://shop")


def order():
    return client.get("/orders/1").json()


def test_today():
    assert order()["today"] == "2026-01-01"


def test_whole():
    assert client.get("/orders/1").json() == {"today": "2026-01-01", "item": "lamp", "hour": "2:00:04 PM"}


def test_broken():
    body = order()
    assert body["item"] == "desk"


def test_not_followed():
    for name, value in order().items():
        assert value != "lamp", name


def test_fine():
    assert order()["item"] == "lamp"
