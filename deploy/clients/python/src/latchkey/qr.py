"""A small QR encoder (ISO/IEC 18004): versions 1 to 10, level M, and a PNG of the symbol.

For boxes without an agent: the agent hands out the picture itself. Level M mends a scratch on the screen, and version
10 holds 213 bytes, or 311 of the capitals, digits and signs that have a denser mode; an address is rarely half of that.
"""

import struct
import zlib
from typing import List, Optional, Tuple

__all__ = ["png", "symbol"]

Matrix = List[List[bool]]

# For each version: codewords of error correction in a block, then the blocks as (how many, data codewords of each).
_LEVEL_M: Tuple[Tuple[int, Tuple[Tuple[int, int], ...]], ...] = (
    (10, ((1, 16),)), (16, ((1, 28),)), (26, ((1, 44),)), (18, ((2, 32),)), (24, ((2, 43),)),
    (16, ((4, 27),)), (18, ((4, 31),)), (22, ((2, 38), (2, 39))), (22, ((3, 36), (2, 37))), (26, ((4, 43), (1, 44))),
)
_ALIGNMENT: Tuple[Tuple[int, ...], ...] = (
    (), (6, 18), (6, 22), (6, 26), (6, 30), (6, 34), (6, 22, 38), (6, 24, 42), (6, 26, 46), (6, 28, 50),
)

#: What the denser mode holds; two characters take eleven bits.
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def _field() -> Tuple[List[int], List[int]]:
    """Powers and logarithms of 2 in GF(256) with the polynomial 0x11D."""
    powers, logarithms, value = [0] * 512, [0] * 256, 1
    for exponent in range(255):
        powers[exponent] = powers[exponent + 255] = value
        logarithms[value] = exponent
        value <<= 1
        if value & 0x100:
            value ^= 0x11D
    return powers, logarithms


_POWERS, _LOGARITHMS = _field()


def _correction(data: List[int], count: int) -> List[int]:
    """The Reed-Solomon codewords of a block."""
    generator = [1]
    for exponent in range(count):
        longer = generator + [0]
        for index, value in enumerate(generator):
            if value:
                longer[index + 1] ^= _POWERS[_LOGARITHMS[value] + exponent]
        generator = longer
    remainder = [0] * count
    for value in data:
        factor = value ^ remainder[0]
        remainder = remainder[1:] + [0]
        if factor:
            for index in range(count):
                if generator[index + 1]:
                    remainder[index] ^= _POWERS[_LOGARITHMS[generator[index + 1]] + _LOGARITHMS[factor]]
    return remainder


def _message(text: str, version: int) -> str:
    """Mode, length and text as bits, without an end."""
    if all(character in _ALPHABET for character in text):
        values = [_ALPHABET.index(character) for character in text]
        bits = "0010" + format(len(text), "09b" if version < 10 else "011b")
        bits += "".join(
            format(45 * first + second, "011b") for first, second in zip(values[::2], values[1::2]))
        return bits + (format(values[-1], "06b") if len(values) % 2 else "")
    data = text.encode("utf-8")
    bits = "0100" + format(len(data), "08b" if version < 10 else "016b")
    return bits + "".join(format(byte, "08b") for byte in data)


def _codewords(text: str) -> Optional[Tuple[int, List[int]]]:
    """The smallest version that holds the text, and its codewords in the order they are drawn; ``None`` for too long a
    text."""
    for version, (corrections, blocks) in enumerate(_LEVEL_M, 1):
        capacity = sum(count * size for count, size in blocks)
        bits = _message(text, version)
        if len(bits) <= 8 * capacity:
            break
    else:
        return None
    bits += "0" * min(4, 8 * capacity - len(bits))
    bits += "0" * (-len(bits) % 8)
    data = [int(bits[index:index + 8], 2) for index in range(0, len(bits), 8)]
    data += [(0xEC, 0x11)[index % 2] for index in range(capacity - len(data))]
    parts: List[List[int]] = []
    for count, size in blocks:
        for _ in range(count):
            parts.append(data[:size])
            data = data[size:]
    corrected = [_correction(part, corrections) for part in parts]
    longest = max(len(part) for part in parts)
    drawn = [part[index] for index in range(longest) for part in parts if index < len(part)]
    drawn += [part[index] for index in range(corrections) for part in corrected]
    return version, drawn


def _polynomial(value: int, divisor: int, bits: int) -> int:
    """The value followed by the remainder of its division by the polynomial, a BCH code of so many check bits."""
    remainder = value << bits
    while remainder.bit_length() > bits:
        remainder ^= divisor << (remainder.bit_length() - bits - 1)
    return value << bits | remainder


def _patterns(version: int) -> Tuple[Matrix, Matrix]:
    """The modules that are the same for every text, and which modules those are."""
    size = 17 + 4 * version
    dark = [[False] * size for _ in range(size)]
    fixed = [[False] * size for _ in range(size)]

    def put(row: int, column: int, is_dark: bool) -> None:
        if 0 <= row < size and 0 <= column < size:
            dark[row][column], fixed[row][column] = is_dark, True

    for index in range(size):
        put(6, index, index % 2 == 0)
        put(index, 6, index % 2 == 0)
    for row, column in ((3, 3), (3, size - 4), (size - 4, 3)):
        for down in range(-4, 5):
            for right in range(-4, 5):
                put(row + down, column + right, max(abs(down), abs(right)) not in (2, 4))
    centres = _ALIGNMENT[version - 1]
    for row in centres:
        for column in centres:
            if (row, column) in ((6, 6), (6, centres[-1]), (centres[-1], 6)):
                continue
            for down in range(-2, 3):
                for right in range(-2, 3):
                    put(row + down, column + right, max(abs(down), abs(right)) != 1)
    if version >= 7:
        bits = _polynomial(version, 0x1F25, 12)
        for index in range(18):
            row, column = index // 3, size - 11 + index % 3
            put(row, column, bool(bits >> index & 1))
            put(column, row, bool(bits >> index & 1))
    # Room for the format, which depends on the mask.
    for index in range(9):
        put(8, index, dark[8][index])
        put(index, 8, dark[index][8])
    for index in range(8):
        put(8, size - 1 - index, False)
        put(size - 1 - index, 8, index == 7)
    return dark, fixed


def _mask(number: int, row: int, column: int) -> bool:
    """Whether the mask inverts the module."""
    product = row * column
    return (
        (row + column) % 2, row % 2, column % 3, (row + column) % 3, (row // 2 + column // 3) % 2,
        product % 2 + product % 3, (product % 2 + product % 3) % 2, ((row + column) % 2 + product % 3) % 2,
    )[number] == 0


def _draw_format(dark: Matrix, mask: int) -> None:
    """Writes level M and the mask beside the finder patterns, twice."""
    size = len(dark)
    bits = _polynomial(mask, 0x537, 10) ^ 0x5412
    around = [(8, column) for column in (0, 1, 2, 3, 4, 5, 7, 8)] + [(row, 8) for row in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(size - 1 - index, 8) for index in range(7)] + [(8, size - 8 + index) for index in range(8)]
    for places in (around, apart):
        for index, (row, column) in enumerate(places):
            dark[row][column] = bool(bits >> (14 - index) & 1)


def _penalty(dark: Matrix) -> int:
    """How hard the symbol is to read, by the four rules of the standard; lower is better."""
    size = len(dark)
    total = 0
    for lines in (dark, [list(line) for line in zip(*dark)]):
        for line in lines:
            text = "".join("1" if module else "0" for module in line)
            run = 1
            for index in range(1, size + 1):
                if index < size and text[index] == text[index - 1]:
                    run += 1
                    continue
                total += run - 2 if run >= 5 else 0
                run = 1
            for pattern in ("10111010000", "00001011101"):
                total += 40 * sum(text.startswith(pattern, index) for index in range(size))
    for row in range(size - 1):
        for column in range(size - 1):
            square = dark[row][column] + dark[row][column + 1] + dark[row + 1][column] + dark[row + 1][column + 1]
            total += 3 if square in (0, 4) else 0
    share = sum(map(sum, dark)) * 20 // (size * size)
    return total + 10 * min(abs(share - 10), abs(share - 9))


def symbol(text: str) -> Optional[Matrix]:
    """The modules of the smallest symbol for the text, dark ones ``True``, without the quiet zone.

    ``None`` for a text that is too long.
    """
    coded = _codewords(text)
    if coded is None:
        return None
    version, codewords = coded
    patterns, fixed = _patterns(version)
    size = len(patterns)
    bits = [bool(word >> (7 - index) & 1) for word in codewords for index in range(8)]
    places: List[Tuple[int, int]] = []
    upwards = True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for row in range(size - 1, -1, -1) if upwards else range(size):
            places += [(row, column) for column in (right, right - 1) if not fixed[row][column]]
        upwards = not upwards
    bits += [False] * (len(places) - len(bits))
    best: Optional[Tuple[int, Matrix]] = None
    for number in range(8):
        dark = [line[:] for line in patterns]
        for (row, column), bit in zip(places, bits):
            dark[row][column] = bit != _mask(number, row, column)
        _draw_format(dark, number)
        penalty = _penalty(dark)
        if best is None or penalty < best[0]:
            best = (penalty, dark)
    return best[1] if best else None


def png(text: str, scale: int = 8) -> Optional[bytes]:
    """A picture of the symbol, black on white, each module ``scale`` pixels wide, four modules of white around it."""
    matrix = symbol(text)
    if matrix is None:
        return None
    pixels = (len(matrix) + 8) * scale
    white = [False] * (len(matrix) + 8)
    rows = b""
    for line in [white] * 4 + [[False] * 4 + line + [False] * 4 for line in matrix] + [white] * 4:
        row = bytes(0 if module else 255 for module in line for _ in range(scale))
        rows += (b"\0" + row) * scale

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", pixels, pixels, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
