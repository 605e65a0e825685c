import os
import unittest

import requests


class EvoMaster_successes_Test(unittest.TestCase):

    baseUrlOfSut = os.environ["STEADY_URL"]

    # Calls:
    # (200) GET:/orders/{id}
    def test_0_get_on_order_returns_object(self):
        headers = {}
        headers['Accept'] = "application/json"
        res_0 = requests \
                .get(self.baseUrlOfSut + "/orders/51",
                    headers=headers)

        assert res_0.status_code == 200
        assert "application/json" in res_0.headers["content-type"]
        assert res_0.json()["id"] == 51.0
        assert res_0.json()["createdAt"] == "2026-01-01T00:00:01.000001+00:00"
        assert res_0.json()["requestId"] == "cd613e30-d8f1-4adf-91b7-584a2265b1f5"
        assert len(res_0.json()["tags"]) == 3
        assert res_0.json()["tags"][0] == "green"

    # Calls:
    # (404) GET:/orders/{id}
    def test_1_get_on_unknown_returns_404(self):
        res_0 = requests.get(self.baseUrlOfSut + "/orders/_EM_unknown")
        self.assertEqual(404, res_0.status_code)
        self.assertEqual("not found", res_0.json()["error"])
        self.assertEqual("shop.Incident@1a2b3d", res_0.json()["incident"])

    def test_2_get_on_version_returns_object(self):
        res_0 = requests.get(self.baseUrlOfSut + "/version")
        assert res_0.json()["version"] == "1.4.2"
        assert res_0.json()["released"] == "2024-03-01"
