#!/usr/bin/env python3
"""Draws the add-on's pictures: icon, fanart, and the white pixel that the dialog's panels are made of.

  deploy/clients/kodi/pictures.py    writes them into deploy/clients/kodi/script.latchkey
"""

import math
import pathlib
import struct
import zlib
from typing import Callable, Tuple

Colour = Tuple[int, int, int]
NIGHT, STEEL, GOLD, WHITE = (23, 33, 43), (47, 64, 80), (255, 209, 102), (255, 255, 255)


def write_png(path: pathlib.Path, width: int, height: int, colour: Callable[[float, float], Colour]) -> None:
    """Writes an RGB picture; ``colour`` is asked at four points of each pixel, for smooth edges."""
    rows = bytearray()
    for row in range(height):
        rows.append(0)
        for column in range(width):
            points = [colour(column + right, row + down) for down in (0.25, 0.75) for right in (0.25, 0.75)]
            rows += bytes(sum(channel) // 4 for channel in zip(*points))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9))
        + chunk(b"IEND", b""))


def emblem(x: float, y: float, background: Colour) -> Colour:
    """A screen with a key on it; the unit is a 512th of its width."""
    def inside(left: float, top: float, right: float, bottom: float, radius: float) -> bool:
        across, down = max(left + radius - x, 0, x - right + radius), max(top + radius - y, 0, y - bottom + radius)
        return math.hypot(across, down) <= radius

    if inside(56, 104, 456, 360, 28):
        if not inside(76, 124, 436, 340, 14):
            return WHITE
        if 40 < math.hypot(x - 180, y - 232) < 66 or inside(240, 219, 392, 245, 8):
            return GOLD
        if inside(330, 232, 352, 286, 6) or inside(368, 232, 390, 276, 6):
            return GOLD
        return STEEL
    if inside(236, 360, 276, 396, 1) or inside(176, 392, 336, 416, 12):
        return WHITE
    return background


def icon(x: float, y: float) -> Colour:
    """The icon, 512 wide and high."""
    return emblem(x, y, NIGHT)


def fanart(x: float, y: float) -> Colour:
    """The fanart, 1280 × 720: bands of light, and the emblem at the right."""
    wave = math.sin(x / 260) * 60 + math.sin(x / 90 + 1) * 14
    shade = max(0.0, 1 - abs(y - 420 - wave) / 260)
    light = int(shade * 4) / 4
    background = (
        int(NIGHT[0] + light * 18), int(NIGHT[1] + light * 30), int(NIGHT[2] + light * 38))
    return emblem(x - 700, y - 100, background)


def main() -> None:
    """Writes all three."""
    resources = pathlib.Path(__file__).resolve().parent / "script.latchkey/resources"
    write_png(resources / "icon.png", 512, 512, icon)
    write_png(resources / "fanart.png", 1280, 720, fanart)
    write_png(resources / "skins/Default/media/latchkey-white.png", 8, 8, lambda x, y: WHITE)


main()
