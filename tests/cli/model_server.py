"""Serves a folder on the loopback address, well or badly; writes its port into a file and what it was
asked into another, and ends with its parent:

    model_server.py FOLDER PORT_FILE LOG_FILE MODE [CERTIFICATE]

    plain      answers Range requests
    no-range   answers them with the whole file
    cut=N      ends the connection after N bytes of a model
    wrong      sends other bytes of a model, as many
    short      sends half of a model, and calls that all
    long       sends more than the model
    moved      sends the client from /old/X to /X
    away=URL   sends the client from each model to the URL
    status=N   refuses models
    slow       waits before each 1000 bytes of a model

With a certificate, and its key in the same file, it speaks HTTPS.
"""

import http.server
import os
import pathlib
import re
import ssl
import sys
import threading
import time

folder, port_file, log_file, mode, *certificate = sys.argv[1:]
mode, _, number = mode.partition("=")


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        with open(log_file, "a", encoding="utf-8") as log:
            log.write(f"{self.path} {self.headers.get('Range', '-')}\n")

    def begin(self, status, size, headers=()):
        self.send_response(status)
        self.send_header("Content-Length", str(size))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def send(self, content):
        model = self.path.endswith(".dodona")
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(wanted[1]) if wanted and mode != "no-range" else 0
        if start and start >= len(content):
            self.begin(416, 0)
            return
        body = content[start:]
        span = [("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")] if start else []
        self.begin(206 if start else 200, len(body), span)
        if mode == "cut" and model:
            body = body[:int(number)]
        for at in range(0, len(body), 1000 if mode == "slow" and model else len(body) or 1):
            if mode == "slow" and model:
                time.sleep(0.01)
            self.wfile.write(body[at:at + 1000] if mode == "slow" and model else body)
            self.wfile.flush()
        self.close_connection = True

    def do_GET(self):
        model = self.path.endswith(".dodona")
        if mode == "moved" and self.path.startswith("/old/"):
            self.begin(302, 0, [("Location", self.path[4:])])
            return
        if mode == "away" and model:
            self.begin(302, 0, [("Location", number)])
            return
        try:
            content = pathlib.Path(folder, self.path.lstrip("/").partition("?")[0]).read_bytes()
        except OSError:
            self.begin(404, 9)
            self.wfile.write(b"not found")
            return
        if mode == "status" and model:
            self.begin(int(number), 0)
            return
        if model:
            content = {"wrong": b"x" + content[1:], "short": content[:len(content) // 2],
                       "long": content + b"x"}.get(mode, content)
        self.send(content)


def end_with_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.handle_error = lambda *_: None  # clients that hang up are what is tested
pathlib.Path(port_file + ".new").write_text(str(server.server_address[1]), encoding="ascii")
os.rename(port_file + ".new", port_file)
threading.Thread(target=end_with_parent, daemon=True).start()
server.serve_forever()
