#!/usr/bin/env python3
"""Models are kept in the repository packed: pack.py FROM TO.

Packs if TO ends in .xz, and unpacks otherwise."""

import lzma
import pathlib
import sys

source, target = map(pathlib.Path, sys.argv[1:])
data = source.read_bytes()
pack = target.suffix == ".xz"
target.write_bytes(lzma.compress(data, preset=9) if pack else lzma.decompress(data))
