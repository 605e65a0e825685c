from .test_cart import Logged


class TestUser(Logged):
    def test_admin(self):
        self.fail("no such role")

    def test_login(self):
        pass
