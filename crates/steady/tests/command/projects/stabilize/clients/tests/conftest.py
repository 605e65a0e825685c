"""A shop in two frameworks, and fixtures that ask it."""

import datetime
import os
import secrets
import sys

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from flask import Flask, jsonify


def order():
    return {
        "item": "lamp",
        "token": "tok_" + secrets.token_hex(8),
        "today": datetime.date.today().isoformat(),
        "pid": os.getpid(),
        "python": ".".join(str(part) for part in sys.version_info[:3]),
    }


def make_flask():
    app = Flask(__name__)
    app.add_url_rule("/orders/1", view_func=lambda: jsonify(order()))
    return app


shop = FastAPI()
shop.add_api_route("/orders/1", order)


@pytest.fixture
def flask_client():
    with make_flask().test_client() as client:
        yield client


@pytest.fixture(params=["first", "second"])
def flask_order(flask_client, request):
    yield flask_client.get(f"/orders/1?{request.param}").get_json()


@pytest.fixture
def fastapi_client():
    with TestClient(shop) as client:
        yield client
