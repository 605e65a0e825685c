"""Tests whose outcome depends on what ran before: they pass in the order of the file."""

cart = []
session = {}


def test_cart_is_empty():
    assert cart == []


def test_adds_to_the_cart():
    cart.append("apple")
    assert "apple" in cart


def test_logs_in():
    session["user"] = "ada"
    assert session


def test_sees_the_user():
    assert session.get("user") == "ada"


def test_needs_nothing():
    assert len("apple") == 5
