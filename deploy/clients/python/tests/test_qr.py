"""The QR pictures, read back by zbar."""

import pathlib
import struct
import subprocess
import tempfile
import unittest

from support import LIMIT, qr


def read_back(picture: bytes) -> str:
    """What a scanner reads in the picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "symbol.png")
        path.write_bytes(picture)
        done = subprocess.run(
            ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", str(path)], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=LIMIT)
    return done.stdout.decode("utf-8").rstrip("\n")


class Pictures(unittest.TestCase):
    """Each size of symbol, full and just begun."""

    def test_every_version_is_read(self) -> None:
        text = "https://tv.example/activate?code=BCDFGHJ&x=" * 6
        for length in (1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106, 107, 122, 123, 152, 153, 180, 181, 213):
            picture = qr.png(text[:length], 3)
            assert picture
            with self.subTest(length=length):
                self.assertEqual(read_back(picture), text[:length])

    def test_capitals_and_digits_make_smaller_symbols(self) -> None:
        text = "HTTPS://TV.EXAMPLE/G/M3KTKHJ$%*+-.: " * 9
        for length, modules in ((20, 21), (21, 25), (28, 25), (38, 25), (39, 29), (90, 33), (311, 57)):
            symbol, picture = qr.symbol(text[:length]), qr.png(text[:length], 3)
            assert symbol and picture
            with self.subTest(length=length):
                self.assertEqual(len(symbol), modules)
                self.assertEqual(read_back(picture), text[:length])
        self.assertIsNone(qr.symbol(text[:312]))

    def test_the_smallest_symbol_is_taken(self) -> None:
        for length, modules in ((14, 21), (15, 25), (62, 33), (63, 37), (213, 57)):
            symbol = qr.symbol("x" * length)
            assert symbol
            self.assertEqual(len(symbol), modules)

    def test_what_is_too_long_has_no_symbol(self) -> None:
        self.assertIsNone(qr.png("x" * 214))
        self.assertIsNone(qr.png("ü" * 107))

    def test_there_is_a_quiet_zone(self) -> None:
        picture = qr.png("x", 2)
        assert picture
        self.assertEqual(struct.unpack(">II", picture[16:24]), (58, 58))
