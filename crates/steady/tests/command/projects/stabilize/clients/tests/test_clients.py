def test_flask(flask_client):
    response = flask_client.get("/orders/1")
    assert response.status_code == 200
    assert response.json["today"] == "2026-01-01"
    assert response.json["item"] == "lamp"


def test_flask_fixture(flask_order):
    assert flask_order["item"] == "lamp"
    assert flask_order["token"] == "tok_9f3a0c71e2b40d18"
    assert flask_order["pid"] == 4711


def test_fastapi(fastapi_client):
    body = fastapi_client.get("/orders/1").json()
    assert body["item"] == "lamp"
    assert body["today"] == "2026-01-01"
    assert body["python"] == "3.0.1"
