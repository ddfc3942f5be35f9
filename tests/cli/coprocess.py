"""Talks with a program sentence by sentence, and fails where an answer does not come before the next
sentence is written:

    coprocess.py pipe|terminal PIECE... -- COMMAND ARGUMENT...

A PIECE is text, with escapes as in Python, or @FILE. Each is to be answered by one sentence; what is
answered is written. With `terminal` the program's standard input and output are a terminal."""
import os
import pty
import select
import subprocess
import sys
import termios

LIMIT = 60  # seconds without an answer; far more than a loaded machine takes


def bytes_of(piece):
    if piece.startswith("@"):
        with open(piece[1:], "rb") as file:
            return file.read()
    return piece.encode().decode("unicode_escape").encode()


def start_on_pipes(command):
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    return child, child.stdin.fileno(), child.stdout.fileno()


def start_on_terminal(command):
    screen, line = pty.openpty()
    modes = termios.tcgetattr(line)
    modes[1] &= ~termios.OPOST  # line ends as they are sent
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(line, termios.TCSANOW, modes)
    child = subprocess.Popen(command, stdin=line, stdout=line)
    os.close(line)
    return child, screen, screen


def answer(source):
    """All up to an empty line, or one line of JSON."""
    got = b""
    while not (got.endswith(b"\n\n") or got.startswith(b"{") and got.endswith(b"\n")):
        if not select.select([source], [], [], LIMIT)[0]:
            sys.exit(f"no answer but {got!r}")
        part = os.read(source, 65536)
        if not part:
            sys.exit(f"the program ended after {got!r}")
        got += part
    return got


def main():
    kind, cut = sys.argv[1], sys.argv.index("--")
    pieces, command = sys.argv[2:cut], sys.argv[cut + 1:]
    child, to, source = (start_on_terminal if kind == "terminal" else start_on_pipes)(command)
    try:
        for piece in pieces:
            os.write(to, bytes_of(piece))
            sys.stdout.buffer.write(answer(source))
        if kind == "terminal":
            os.write(to, b"\4")  # Ctrl-D
        else:
            child.stdin.close()
        return child.wait(LIMIT)
    finally:
        child.kill()


if __name__ == "__main__":
    sys.exit(main())
