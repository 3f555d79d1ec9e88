"""Makes screenshots small: a PNG with the 128 most frequent colors, the others replaced by the nearest of them."""

import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLORS = 128


def chunks(png):
    place = len(SIGNATURE)
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        yield kind, png[place + 8:place + 8 + length]
        place += length + 12


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def paeth(left, above, corner):
    guess = left + above - corner
    distances = abs(guess - left), abs(guess - above), abs(guess - corner)
    return (left, above, corner)[distances.index(min(distances))]


def rows(data, width, height, size):
    """The lines of a picture with `size` bytes a pixel, without their filters (PNG, section 9)."""
    above, place, length = bytearray(width * size), 0, width * size
    for _ in range(height):
        kind, line = data[place], bytearray(data[place + 1:place + 1 + length])
        place += length + 1
        for index in range(length if kind else 0):
            left = line[index - size] if index >= size else 0
            corner = above[index - size] if index >= size else 0
            added = (0, left, above[index], (left + above[index]) // 2, paeth(left, above[index], corner) if kind == 4 else 0)[kind]
            line[index] = (line[index] + added) & 255
        yield bytes(line)
        above = line


def shrunk(png):
    """The same picture with fewer colors. Takes what Chromium makes: 8 bits a channel, with or without transparency."""
    parts = list(chunks(png))
    width, height, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if depth != 8 or kind not in (2, 6) or interlaced:
        raise ValueError(f"the picture has depth {depth}, kind {kind}, interlacing {interlaced}")
    size = 3 if kind == 2 else 4
    data = zlib.decompress(b"".join(data for name, data in parts if name == b"IDAT"))
    lines = [[line[at:at + 3] for at in range(0, len(line), size)] for line in rows(data, width, height, size)]
    counts = collections.Counter(pixel for line in lines for pixel in line)
    palette = [color for color, _ in counts.most_common(COLORS)]
    nearest = {color: index for index, color in enumerate(palette)}
    for color in counts:
        if color not in nearest:
            nearest[color] = min(range(len(palette)), key=lambda index: sum((a - b) ** 2 for a, b in zip(color, palette[index])))
    packed = b"".join(b"\0" + bytes(nearest[pixel] for pixel in line) for line in lines)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return (SIGNATURE + chunk(b"IHDR", header) + chunk(b"PLTE", b"".join(palette))
            + chunk(b"IDAT", zlib.compress(packed, 9)) + chunk(b"IEND", b""))
