import os
import unittest


class Logged(unittest.TestCase):
    def setUp(self):
        with open(os.environ["STEADY_TEST_LOG"], "a") as file:
            file.write(self.id() + "\n")


class TestCart(Logged):
    def test_adds(self):
        self.assertEqual(1 + 1, 2)

    def test_sums(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertEqual(number + 0, number)


class TestTotals(Logged):
    def test_total(self):
        pass
