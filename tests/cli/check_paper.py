"""Checks that the upper left pixel of a PNG is white: check_paper.py FILE"""
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
depth, colour = struct.unpack(">BB", data[24:26])
assert data[:8] == b"\x89PNG\r\n\x1a\n" and depth == 8 and colour in (2, 6), (depth, colour)
at, packed = 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
    at += size + 12
# Whatever the filter of the first row: nothing stands before its first pixel.
row = zlib.decompress(packed)
assert row[1:4] == b"\xff\xff\xff", row[:4]
