"""Writes the page's files as a C table, and with them the explorer, waiting for its data:
assets.py EXPLORER-FOLDER FILE... > assets.inc"""
import hashlib
import os
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8"}
# Nothing comes from elsewhere, and no script or style stands in the page itself; pictures are
# parsed from what the server answers, and saved by way of a blob.
PAGE = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'")
# It has its script in itself, as a saved page must, so it is shut off from this server's origin.
EXPLORER = ("sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def explorer(folder):
    sys.path.insert(0, folder)
    from embed import compose
    parts = ("page.html", "style.css", "tree.js", "explorer.js")
    return compose(*(read(os.path.join(folder, part)) for part in parts)).replace("@DATA@", "")


def assets(folder, paths):
    for path in paths:
        name = os.path.basename(path)
        yield "/" if name == "index.html" else "/page/" + name, PAGE, read(path)
    yield "/page/explorer.html", EXPLORER, explorer(folder)


rows = []
for number, (path, policy, text) in enumerate(assets(sys.argv[1], sys.argv[2:])):
    data = text.encode()
    kind = TYPES[os.path.splitext(path)[1] or ".html"]
    tag = hashlib.sha256(data + policy.encode()).hexdigest()[:24]
    rows.append(f'{{"{path}", "{kind}", "{policy}", "\\"{tag}\\"", data_{number}, {len(data)}}},')
    print(f"static const unsigned char data_{number}[] = {{")
    for at in range(0, len(data), 20):
        print(",".join(str(byte) for byte in data[at:at + 20]) + ",")
    print("};")
print("static const asset assets[] = {", *rows, "};", sep="\n")
