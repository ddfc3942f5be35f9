"""Drives headless Chromium through the pipes of its DevTools protocol, so that keys are real keys.

    with Chromium() as browser:      # CHROMIUM is None where there is none
        browser.open("http://127.0.0.1:8000/")
        browser.press("Enter")
        browser.get("document.title")
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "End": 35, "Home": 36, "Enter": 13, "Escape": 27, "Tab": 9}
TEXTS = {"Enter": "\r"}


class Chromium:
    def __init__(self):
        from_us, to_it = os.pipe()
        from_it, to_us = os.pipe()

        def hand_over():
            # Chromium reads from 3 and writes to 4.
            reads, writes = os.dup(from_us), os.dup(to_us)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.to_it, self.from_it = to_it, from_it
        self.session, self.count, self.left, self.events = None, 0, b"", []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def read(self):
        while b"\0" not in self.left:
            piece = os.read(self.from_it, 1 << 16)
            assert piece, "Chromium went away"
            self.left += piece
        message, self.left = self.left.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session or self.session:
            message["sessionId"] = session or self.session
        os.write(self.to_it, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def happened(self, method):
        return [event["params"] for event in self.events if event.get("method") == method]

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        # It may have come before the answer.
        while not self.happened("Page.loadEventFired"):
            self.events.append(self.read())

    def get(self, script, session=None):
        answer = self.call("Runtime.evaluate", session, expression=script, returnByValue=True,
                           awaitPromise=True, userGesture=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, script, session=None, seconds=120):
        """Until the script's value is true or an element; returns it."""
        end = time.monotonic() + seconds
        while not (value := self.get(f"(it => it instanceof Node || it)({script})", session)):
            assert time.monotonic() < end, f"in vain: {script}"
            time.sleep(0.02)
        return value

    def press(self, key, **more):
        code = KEYS.get(key) or ord(key.upper())
        text = TEXTS.get(key) if key in KEYS else key
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code,
                  **({"text": text} if text else {}), **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, **more)

    def click(self, selector):
        self.get(f"document.querySelector({json.dumps(selector)}).click()")

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
