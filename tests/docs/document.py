"""What a document of the manual has to run, in order.

- An indented block with lines that begin with `$ ` is a session: such a line is a command, which
  goes on in the next line where it ends in a backslash or that begins with `> `; what follows is what
  it prints.
- A fenced block of the language c is a program if it has a main, else a part of one.
- HTML comments on a line of their own say what the reader need not see:
      <!-- run: COMMAND -->    run this, and succeed
      <!-- file: NAME -->      the next block is the file NAME
      <!-- skip: REASON -->    the next block is not run
  After `<!-- file: NAME -->` a block can have any language, and is only written.

Python has tests of its own, see bindings/python/tests/test_examples.py.
"""

import dataclasses
import re

COMMENT = re.compile(r"<!-- (run|file|skip): (.*) -->$")
INDENT = "    "


@dataclasses.dataclass
class Step:
    kind: str  # run, session, file, c, skip, stray
    line: int  # of the first line in the document, from 1
    text: str  # command, or content of the block
    detail: str = ""  # name of the file, or reason
    expected: list = dataclasses.field(default_factory=list)  # lines that the command prints
    after: int = 0  # number of the line behind the last expected one


def block_at(lines, start):
    """The language, content and end of the block that begins in a line, or None."""
    if lines[start].startswith("```"):
        end = lines.index("```", start + 1)
        return lines[start][3:], lines[start + 1:end], end + 1
    if not lines[start].startswith(INDENT) or (start > 0 and lines[start - 1].strip() and
                                               not COMMENT.match(lines[start - 1])):
        return None
    end = start
    while end < len(lines) and (lines[end].startswith(INDENT) or not lines[end].strip()):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return "indented", [line[len(INDENT):] for line in lines[start:end]], end


def session(content, first):
    """The commands of an indented block; it begins in line `first`."""
    steps, at = [], 0
    while at < len(content):
        if not content[at].startswith("$ "):
            steps[-1].expected.append(content[at])
            at += 1
            steps[-1].after = first + at
            continue
        begin = at
        while at + 1 < len(content) and (content[at].endswith("\\") or
                                         content[at + 1].startswith("> ")):
            at += 1
        at += 1
        command = re.sub(r"^[$>] ", "", "\n".join(content[begin:at]), flags=re.M)
        steps.append(Step("session", first + begin, command, after=first + at))
    return steps


def steps_of_block(language, content, first, pending):
    kind, detail = pending or (None, None)
    text = "\n".join(content) + "\n"
    if kind:
        return [Step(kind, first, text, detail)]
    if language == "c":
        return [Step("c", first + 1, text)]
    if language == "indented" and content[0].startswith("$ "):
        return session(content, first)
    # A command that looks like one and is not run is worse than none.
    if re.match(r"(\$ )?dodona[ :]", content[0]) or language in ("sh", "console", "bash"):
        return [Step("stray", first, text)]
    return []


def read(path):
    lines = path.read_text("utf-8").splitlines()
    steps, at, pending = [], 0, None
    while at < len(lines):
        comment = COMMENT.match(lines[at])
        if comment and comment[1] == "run":
            steps.append(Step("run", at + 1, comment[2]))
        elif comment:
            pending = comment.groups()
        else:
            block = block_at(lines, at)
            if block:
                language, content, end = block
                steps += steps_of_block(language, content, at + 1, pending)
                at, pending = end, None
                continue
        at += 1
    return steps
