"""Runs a command on a terminal of its own and writes what that got, line ends as they were sent:
    terminal.py COMMAND ARGUMENT..."""

import os
import pty
import sys

child, screen = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
got = b""
while True:
    try:
        part = os.read(screen, 65536)
    except OSError:  # as Linux reports the end
        break
    if not part:
        break
    got += part
sys.stdout.buffer.write(got.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
