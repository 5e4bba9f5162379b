"""Draws what is on a console of Linux: console-picture.py NUMBER FILE.png

The console need not have a screen: its characters and colours are read from the kernel (vcs(4)). Letters are blocks; what
QR codes are drawn with is drawn as on a screen.
"""

import struct
import sys

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 8, 16
# Of the console: linux/vt_kern.h counts blue first.
DARK = [(0, 0, 0), (0, 0, 170), (0, 170, 0), (0, 170, 170), (170, 0, 0), (170, 0, 170), (170, 85, 0), (170, 170, 170)]
COLOURS = DARK + [tuple(min(255, part + 85) for part in colour) for colour in DARK]
# The part of its cell that a character fills, in eighths of the height.
FILLED = {0x2588: (0, 8), 0x2580: (0, 4), 0x2584: (4, 8), 0x20: (0, 0), 0xA0: (0, 0), 0: (0, 0)}


def main() -> None:
    number, path = sys.argv[1:]
    with open(f"/dev/vcsa{number}", "rb") as file:
        memory = file.read()
    with open(f"/dev/vcsu{number}", "rb") as file:
        text = file.read()
    rows, columns = memory[0], memory[1]
    cells = struct.unpack(f"={rows * columns}H", memory[4:4 + 2 * rows * columns])
    letters = struct.unpack(f"={rows * columns}I", text)
    picture = Image.new("RGB", (columns * WIDTH, rows * HEIGHT))
    draw = ImageDraw.Draw(picture)
    for place, (cell, letter) in enumerate(zip(cells, letters)):
        left, top = place % columns * WIDTH, place // columns * HEIGHT
        draw.rectangle((left, top, left + WIDTH - 1, top + HEIGHT - 1), COLOURS[cell >> 12 & 7])
        begin, end = FILLED.get(letter, (3, 6))
        if begin < end:
            inset = 0 if letter in FILLED else 2
            draw.rectangle(
                (left + inset, top + begin * HEIGHT // 8, left + WIDTH - 1 - inset, top + end * HEIGHT // 8 - 1),
                COLOURS[cell >> 8 & 15])
    picture.save(path)


main()
