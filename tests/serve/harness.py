"""A server of the program on the loopback address, clients for it, and tests in TAP.

    with Server(program, ["--threads", "2"]) as server:
        status, headers, body = server.get("/models")
"""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import urllib.parse

tests = []


def test(function):
    """Its docstring is its name."""
    tests.append(function)
    return function


def test_unless(missing):
    """The same, but if something is missing, it is skipped and says so."""
    def register(function):
        def nothing(*_):
            pass
        nothing.__doc__ = f"{function.__doc__} # SKIP {missing}"
        return test(nothing if missing else function)
    return register


def run_all(*arguments):
    failures = 0
    for number, function in enumerate(tests, 1):
        try:
            function(*arguments)
            print(f"ok {number} - {function.__doc__}", flush=True)
        except Exception:  # whatever it is, the test has failed
            failures += 1
            print(f"not ok {number} - {function.__doc__}")
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), end="",
                  flush=True)
    print(f"1..{len(tests)}")
    sys.exit(1 if failures else 0)


def equal(got, expected):
    if got != expected:
        raise AssertionError(f"{got!r} is not {expected!r}")


class Server:
    def __init__(self, program, options=(), models=(), **popen):
        command = [program, "serve", *options]
        if "--timeout" not in options:  # the machine may be slow
            command += ["--timeout", "600"]
        if "--listen" not in options and "pass_fds" not in popen:
            command += ["--listen", "127.0.0.1:0"]
        for model in models:
            command += ["-m", model]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True,
                                        encoding="utf-8", **popen)
        self.log = []
        self.started = threading.Event()
        self.reader = threading.Thread(target=self.read_log, daemon=True)
        self.reader.start()
        if not self.started.wait(120):
            self.process.kill()
            raise AssertionError(f"it does not start: {self.log}")
        if self.process.poll() is not None and not hasattr(self, "port"):
            raise AssertionError(f"it ended: {self.log}")

    def read_log(self):
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r'"listening","address":"[^"]*:(\d+)"', line)
            if found:
                self.port = int(found[1])
                self.started.set()
        self.started.set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            equal(self.stop(), 0)
        self.reader.join(10)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(300)

    def logged(self, count, timeout=120):
        """The lines of requests, once there are that many."""
        end = time.monotonic() + timeout
        while True:
            lines = [json.loads(line) for line in self.log if '"method"' in line]
            if len(lines) >= count or time.monotonic() > end:
                return lines
            time.sleep(0.01)

    def connect(self, timeout=300):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def socket(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def ask(self, method, path, body=None, headers=None, connection=None):
        own = connection or self.connect()
        own.request(method, path, body, headers or {})
        answer = own.getresponse()
        content = answer.read()
        if connection is None:
            own.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, content.decode()

    def get(self, path, headers=None, **fields):
        query = "?" + urllib.parse.urlencode(fields) if fields else ""
        return self.ask("GET", path + query, None, headers)

    def form(self, path, headers=None, **fields):
        return self.ask("POST", path, urllib.parse.urlencode(fields, doseq=True), {
            "Content-Type": "application/x-www-form-urlencoded", **(headers or {})})

    def json(self, path, accept=None, **fields):
        return self.ask("POST", path, json.dumps(fields), {
            "Content-Type": "application/json", **({"Accept": accept} if accept else {})})

    def raw(self, data, half_close=False, timeout=60):
        """What comes back until the server closes the connection."""
        with self.socket(timeout) as own:
            try:
                own.sendall(data)
                if half_close:
                    own.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            return read_all(own)


def read_all(own):
    pieces = []
    try:
        while piece := own.recv(65536):
            pieces.append(piece)
    except OSError:
        pass
    return b"".join(pieces)


def multipart(fields, boundary="frontier"):
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
             for name, value in fields.items()]
    return "".join(parts) + f"--{boundary}--\r\n", f"multipart/form-data; boundary={boundary}"


# ---- the description in /openapi.json -----------------------------------------------------------


def fits(description, schema, value, where):
    """Raises where the value is not what the schema says, or has keys that it does not know."""
    if "$ref" in schema:
        schema = description["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if value is None:
        assert schema.get("nullable"), f"{where} is null"
        return
    if "oneOf" in schema:
        assert any(type(value) is {"integer": int, "string": str}[one["type"]]
                   for one in schema["oneOf"]), where
        return
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
             "boolean": bool}
    assert isinstance(value, kinds[schema["type"]]), f"{where}: {value!r} is no {schema['type']}"
    if "enum" in schema:
        assert value in schema["enum"], f"{where}: {value}"
    if schema["type"] == "array":
        for one in value:
            fits(description, schema["items"], one, where + "[]")
    if schema["type"] == "object" and "properties" in schema:
        for key in schema["required"]:
            assert key in value, f"{where} has no {key}"
        for key, one in value.items():
            assert key in schema["properties"], f"{where} has {key}"
            fits(description, schema["properties"][key], one, f"{where}.{key}")
    elif "additionalProperties" in schema:
        for key, one in value.items():
            fits(description, schema["additionalProperties"], one, f"{where}.{key}")


def check_answer(description, operation, answer, where):
    status, headers, body = answer
    kind = headers["content-type"].partition(";")[0]
    schema = operation["responses"][str(status)]["content"][kind]["schema"]
    fits(description, schema, json.loads(body) if kind == "application/json" else body, where)
