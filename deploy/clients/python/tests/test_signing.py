"""The signed header and the server's clock."""

import unittest

from support import PAIR, ROOT, latchkey
from latchkey import transport
from latchkey.signing import KeyPair, ServerClock, signed


class SignedHeader(unittest.TestCase):
    """The vectors of rest-v1 7.7."""

    def test_post(self) -> None:
        value = signed(
            "POST", "NORTHSPORT", "3f1c9a52-7b1e-4d0c-9a6e-5b8f2c7d1e90", 1767225600000,
            "/reggie/v1/NORTHSPORT/regcode", PAIR)
        self.assertEqual(
            value,
            "POST requestor_id=NORTHSPORT, nonce=3f1c9a52-7b1e-4d0c-9a6e-5b8f2c7d1e90, signature_method=HMAC-SHA1, "
            "request_time=1767225600000, request_uri=/reggie/v1/NORTHSPORT/regcode, "
            "public_key=P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L, signature=pJSCKAFU/H4TBz0rW9m0bEtQmFQ=")

    def test_other_vectors(self) -> None:
        for nonce, now, uri, signature in (
            ("A1B2C3D4-0001-4002-8003-000000000004", 1767225601500, "/authorize", "MSNRE80RikYEvGurv35/evFOKd8="),
            ("9f8e7d6c5b4a39281706f5e4d3c2b1a0", 1767225602250,
             "https://tve.example.net/api/v1/mediatoken?deviceId=dev-1&requestor=NORTHSPORT&"
             "resource=North%20Sport%20HD",
             "99fNSPgnK5DDCpWD8OL6WBcketY="),
        ):
            self.assertTrue(signed("GET", "NORTHSPORT", nonce, now, uri, PAIR).endswith(f", signature={signature}"))

    def test_key_pair_shows_no_secret(self) -> None:
        self.assertNotIn(PAIR.private_key, f"{PAIR!r} {PAIR}")

    def test_key_pair_is_checked(self) -> None:
        for public, private in (("", "x"), ("a, signature=b", "x"), ("a\r\nb", "x"), ("a", ""), ("a", "x" * 257)):
            with self.assertRaises(latchkey.BadRequest):
                KeyPair(public, private)


class Package(unittest.TestCase):
    """What the package says of itself."""

    def test_there_is_one_version(self) -> None:
        project = (ROOT / "deploy/clients/python/pyproject.toml").read_text()
        self.assertIn(f'version = "{latchkey.__version__}"', project)
        self.assertIn(latchkey.__version__, transport._USER_AGENT)


class Clock(unittest.TestCase):
    """Whose time counts."""

    def test_small_differences_are_the_way_of_the_answer(self) -> None:
        clock = ServerClock(lambda: 1000.0)
        clock.observe(1_059_999)
        self.assertEqual(clock.now, 1_000_000)

    def test_a_wrong_clock_is_set_right_and_back(self) -> None:
        clock = ServerClock(lambda: 1000.0)
        clock.observe(1_767_225_600_000)
        self.assertEqual(clock.now, 1_767_225_600_000)
        clock.observe(1_000_000)
        self.assertEqual(clock.offset, 0)
