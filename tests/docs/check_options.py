"""Whether the pages in man/ have the options of the program's help; in TAP:

    check_options.py PROGRAM

The pages of train, models and serve have every option in the same order and with the same value. The text
of an option starts with that of the help, and has its choices or bounds and its default; more text may
follow. The other pages have the same options, with texts of their own.
"""

import pathlib
import re
import shlex
import subprocess
import sys

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
ESCAPES = {r"\-": "-", r"\(aq": "'", r"\(lq": '"', r"\(rq": '"', r"\fI": "", r"\fR": "", r"\fB": ""}


def flat(lines):
    """Roff as plain text in one line."""
    words = []
    for line in lines:
        macro, _, rest = line.partition(" ")
        if re.fullmatch(r"\.[BI]", macro):
            line = rest.replace('"', "")
        elif re.fullmatch(r"\.[BIR]{2}", macro):
            line = "".join(shlex.split(rest.replace("\\", "\\\\")))
        words.append(line)
    text = " ".join(words)
    for escape, plain in ESCAPES.items():
        text = text.replace(escape, plain)
    return re.sub(r"\s+", " ", text).strip()


def page_entries(page):
    """(heading, text) of each option."""
    options = re.search(r"^\.SH OPTIONS\n(.*?)^\.SH ", page, re.M | re.S)[1]
    for entry in options.split(".TP\n")[1:]:
        lines = entry.splitlines()
        yield flat(lines[:1]), flat(lines[1:])


def help_entries(program, command):
    """(heading, text) of each option, the text with "(choices or bounds)" and "[default]"."""
    told = subprocess.run([program, command, "--help"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    options = told.split("Options, defaults in brackets:\n")[1]
    for entry in re.split(r"^  (?=-| {4}--)", options, flags=re.M)[1:]:
        heading, _, text = re.sub(r"\s*\n\s*", "  ", entry.strip()).partition("  ")
        yield heading, re.sub(r"\s+", " ", text).strip()


def parts(text):
    """The help itself, what it may be in parentheses, and its default in brackets; else ""."""
    found = re.fullmatch(r"(.*?)(?: \(([^()]*)\))?(?: \[(.*)\])?", text)
    return [part or "" for part in found.groups()]


def heading_fits(page_heading, heading, allowed):
    """A choice may stand as a|b|c in place of the value's name."""
    option = heading.rpartition(" ")[0]
    return page_heading in (heading, f"{option} {allowed.replace(', ', '|')}")


def faults(page_entry, help_entry):
    heading, text = help_entry
    help_text, allowed, default = parts(text)
    page_heading, body = page_entry
    whole = f"{page_heading} {body}"
    if not heading_fits(page_heading, heading, allowed):
        yield f"'{page_heading}' is '{heading}' in help"
    if not body.startswith(help_text[0].upper() + help_text[1:]):
        yield f"'{body[:60]}...' does not start with '{help_text}'"
    if allowed == "required":
        missing = [] if "Required." in body else ["Required."]
    elif re.fullmatch(r"\S+ to \S+", allowed):
        missing = [] if allowed in body else [allowed]
    else:
        missing = [choice for choice in filter(None, allowed.split(", "))
                   if not re.search(rf"(?<![\w-]){re.escape(choice)}(?![\w-])", whole)]
    yield from (f"no '{part}'" for part in missing)
    if default and f"Default: {default}." not in body:
        yield f"no 'Default: {default}.'"


def claims_of(command):
    page = list(page_entries((ROOT / "man" / f"dodona-{command}.1").read_text("utf-8")))
    told = list(help_entries(sys.argv[1], command))
    names = [re.search(r"--[a-z-]+", heading)[0] for heading, _ in told]
    page_names = [re.search(r"--[a-z-]+", heading)[0] for heading, _ in page]
    order = [] if names == page_names else [f"help: {names}", f"page: {page_names}"]
    claims = [(f"the page of {command} has the options of help, in that order", order)]
    by_name = dict(zip(page_names, page))
    for name, entry in zip(names, told):
        if name in by_name:
            claims.append((f"{command} {name}", list(faults(by_name[name], entry))))
    return claims


def names_of(page):
    """All options in the headings of a page's entries."""
    options = re.search(r"^\.SH OPTIONS\n(.*?)^\.SH ", page, re.M | re.S)[1]
    headings = re.findall(r"^\.T[PQ]\n(.*)", options, re.M)
    return {name for heading in headings for name in re.findall(r"--[a-z-]+", flat([heading]))}


def claim_of_names(command):
    page = names_of((ROOT / "man" / f"dodona-{command}.1").read_text("utf-8"))
    told = {name for heading, _ in help_entries(sys.argv[1], command)
            for name in re.findall(r"--[a-z-]+", heading)}
    return (f"the page of {command} has the options of help",
            [f"only in help: {name}" for name in sorted(told - page)] +
            [f"only in the page: {name}" for name in sorted(page - told)])


COMPARED = ["train", "models", "serve"]


def main():
    listed = subprocess.run([sys.argv[1], "--help"], check=True, text=True, stdout=subprocess.PIPE).stdout
    commands = re.findall(r"^  ([a-z]+) ", listed.split("Subcommands:")[1], re.M)
    return tap.report([claim for command in COMPARED for claim in claims_of(command)] +
                      [claim_of_names(command) for command in commands if command not in COMPARED])


if __name__ == "__main__":
    sys.exit(main())
