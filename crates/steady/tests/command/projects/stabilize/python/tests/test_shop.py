import os

import requests

URL = os.environ["STEADY_URL"]


def fetch_order(number):
    requests.get(f"{URL}/version")
    return requests.get(f"{URL}/orders/{number}")


def test_an_order_is_complete():
    answer = fetch_order(41)
    assert answer.status_code == 200
    order = answer.json()
    # The item never changes.
    assert order["item"] == "lamp"
    assert order["tags"] == ["green", "blue", "red"]
    assert order["supplier"] == "f47ac10b-58cc-4372-a567-0e02b2c3d479"
    assert order["spool"] == "/tmp/orders.spool"


def test_a_quote_adds_up():
    quote = requests.get(f"{URL}/quote").json()
    assert quote["base"] == 500
    assert quote["total"] == 537
    assert quote["currency"] == "EUR"
