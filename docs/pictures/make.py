"""Makes the pictures of docs/systems.md, one per system:

    make.py PROGRAM FOLDER

A picture shows a configuration, as `dodona trace` shows it on the way along a gold tree, and what each
permissible transition makes of it, with its cost. moves.py says what a transition does; along the gold
path that is compared with the program.
"""

import html
import json
import pathlib
import subprocess
import sys

import moves

# Sentence, gold heads, the step to show, and which transitions; None: all that are permissible.
LOUDLY = ("Birds sing loudly today", [2, 0, 2, 2])
OAK = ("Hear the very old oak now", [0, 5, 4, 5, 1, 1])
LOOK = ("What did you look at", [4, 4, 4, 0, 1])
EXAMPLES = {
    "arc-standard": [(*LOUDLY, 3, None)],
    "arc-eager": [(*LOUDLY, 1, None), (*LOUDLY, 4, ["RE"])],
    "arc-hybrid": [(*LOUDLY, 4, None)],
    "arc-eager-nm": [(*LOUDLY, 4, None), ("the old oak rustles", [3, 3, 4, 0], 2, ["RE"])],
    "lr-spine": [(*OAK, 9, None), (*OAK, 10, ["RA@1", "RA@2"])],
    "attardi": [(*LOOK, 6, None)],
    "covington": [(*LOOK, 4, None)],
    "covington-nm": [("What took you photos of", [5, 0, 2, 2, 4], 9, None)],
    "pointer": [(*LOOK, 2, None), (*LOOK, 3, None)],
}

# Pixels.
FIRST, CELL, BOX, GAP, ARC, NOTE, MARGIN = 96, 82, 26, 20, 17, 24, 12

# What each class looks like on white paper, as attributes, as many programs that show SVG know no custom
# properties of CSS. The style sheet only sets the colours again, for readers who prefer a dark page.
PAPER, INK, SOFT, LINE, NEW, RULE = "#fff", "#1c2230", "#6a7285", "#8a92a6", "#1a7f37", "#d5d9e2"
STACK, PASSED = "#dbe9fb", "#fbeecb"
LOOKS = {
    "name": f'fill="{INK}" font-size="14" font-weight="600"',
    "word": f'fill="{INK}" font-size="14" text-anchor="middle"',
    "word done": f'fill="{SOFT}" font-size="14" text-anchor="middle"',
    "note": f'fill="{SOFT}" font-size="12"',
    "key": f'fill="{SOFT}" font-size="12"',
    "stack": f'fill="{STACK}"',
    "passed": f'fill="{PASSED}"',
    "buffer": f'fill="none" stroke="{LINE}"',
    "paper": f'fill="{PAPER}"',
    "rule": f'fill="none" stroke="{RULE}"',
    "old": (f'fill="none" stroke="{LINE}" stroke-width="1.5"', f'fill="{LINE}"'),
    "new": (f'fill="none" stroke="{NEW}" stroke-width="2.5"', f'fill="{NEW}"'),
    "gone": (f'fill="none" stroke="{LINE}" stroke-width="1.5" stroke-dasharray="3 4"', f'fill="{LINE}"'),
}
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
STYLE = f"""
.s{{--paper:{PAPER};--ink:{INK};--soft:{SOFT};--line:{LINE};--new:{NEW};--stack:{STACK};--passed:{PASSED};
--rule:{RULE}}}
@media (prefers-color-scheme:dark){{.s{{--paper:#12151c;--ink:#edf0f7;--soft:#929bb0;--line:#77809a;
--new:#56d364;--stack:#1d3557;--passed:#4a3a10;--rule:#2b3140}}}}
.paper{{fill:var(--paper)}}.rule{{stroke:var(--rule)}}
text{{fill:var(--ink)}}.done,.note,.key{{fill:var(--soft)}}
.stack{{fill:var(--stack)}}.passed{{fill:var(--passed)}}.buffer{{stroke:var(--line)}}
.arc{{stroke:var(--line)}}.tip{{fill:var(--line)}}
.new .arc{{stroke:var(--new)}}.new .tip{{fill:var(--new)}}
"""


def trace(program, system, words, heads):
    """The configurations along the gold path, each with the transition taken and all costs."""
    lines = [f"{i + 1}\t{word}\t_\t_\t_\t_\t{head}\tdep\t_\t_"
             for i, (word, head) in enumerate(zip(words, heads))]
    loss = ["--loss", "exact"] if system == "covington-nm" else []
    told = subprocess.run([program, "trace", "--system", system, "--to", "json", *loss], check=True,
                          text=True, input="\n".join(lines) + "\n\n", stdout=subprocess.PIPE).stdout
    built, steps = {}, []
    for line in told.splitlines():
        step = json.loads(line)
        config = moves.Config(step.get("stack", step.get("left")), step.get("passed", []),
                              step["buffer"], dict(built))
        steps.append((config, step.get("transition"), step.get("cost")))
        if "head" in step:
            built[step["dependent"]] = step["head"]
    for (config, move, _), (following, _, _) in zip(steps, steps[1:]):
        assert moves.after(system, config, move) == following, (system, config, move, following)
    return steps


def text(kind, x, y, content):
    return f'<text class="{kind}" {LOOKS[kind]} x="{x}" y="{y}">{html.escape(content)}</text>'


class Picture:
    def __init__(self, system, width):
        self.system, self.width = system, width
        self.parts, self.y = [], 0

    def arc(self, head, dependent, base, place, kind):
        """From above the head to above the dependent, a little beside where others start."""
        way = 1 if place[dependent] > place[head] else -1
        begin = FIRST + CELL * place[head] + CELL // 2 + 7 * way
        end = FIRST + CELL * place[dependent] + CELL // 2 - 3 * way
        line, tip = LOOKS[kind]
        height = base - 6 - ARC * abs(place[dependent] - place[head])
        self.parts.append(
            f'<g class="{kind}">'
            f'<path class="arc" {line} d="M{begin} {base}C{begin} {height} {end} {height} {end} {base - 5}"/>'
            f'<path class="tip" {tip} d="M{end - 4} {base - 6}h8l-4 6z"/></g>')

    def row(self, words, order, config, name, note, before):
        """A configuration; arcs that `before` has not are new, those that only it has are gone."""
        place = {node: at for at, node in enumerate(order)}
        arcs = [(head, dependent, "new" if before and before.heads.get(dependent) != head else "old")
                for dependent, head in sorted(config.heads.items())]
        arcs += [(head, dependent, "gone") for dependent, head in (before or config).heads.items()
                 if config.heads.get(dependent) != head]
        longest = max((abs(place[d] - place[h]) for h, d, _ in arcs), default=0)
        # The top of a curve is three quarters of the way to its handles.
        self.y += GAP + BOX + (ARC * longest + 6) * 3 // 4
        top = self.y - BOX
        self.parts.append(text("name", MARGIN, self.y - 8, name))
        for node in order:
            x = FIRST + CELL * place[node]
            kind = next((kind for kind in ("stack", "passed", "buffer")
                         if node in getattr(config, kind)), None)
            if kind:
                self.parts.append(f'<rect class="{kind}" {LOOKS[kind]} x="{x + 3}" y="{top}" '
                                  f'width="{CELL - 6}" '
                                  f'height="{BOX}" rx="4"/>')
            word = words[node - 1] if node else "ROOT"
            self.parts.append(text("word" if kind else "word done", x + CELL // 2, self.y - 8, word))
        for head, dependent, kind in arcs:
            self.arc(head, dependent, top - 2, place, kind)
        self.parts.append(text("note", FIRST + CELL * len(order) + NOTE, self.y - 8, note))

    def rule(self):
        y = self.y + 9
        self.parts.append(f'<path class="rule" {LOOKS["rule"]} d="M{MARGIN} {y}H{self.width - MARGIN}"/>')

    def key(self, kinds):
        self.y += 40
        x = FIRST
        for kind, told in kinds:
            self.parts.append(f'<rect class="{kind}" {LOOKS[kind]} x="{x + 3}" y="{self.y - 11}" '
                              'width="22" height="14" rx="3"/>' + text("key", x + 32, self.y, told))
            x += 62 + 7 * len(told)

    def svg(self):
        height = self.y + MARGIN
        return (f'<svg xmlns="http://www.w3.org/2000/svg" class="s" width="{self.width}" '
                f'height="{height}" viewBox="0 0 {self.width} {height}" role="img" '
                f'font-family="{FONTS}">\n'
                f'<title>{self.system}: what each transition makes of a configuration</title>\n'
                f'<style>{STYLE}</style>\n<rect class="paper" {LOOKS["paper"]} width="{self.width}" '
                f'height="{height}" rx="6"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def note(words, config, following, cost):
    """What a move did to the arcs, and its cost."""
    def name(node):
        return words[node - 1] if node else "ROOT"
    changed = [f"{name(h)} → {name(d)}" for d, h in following.heads.items()
               if config.heads.get(d) != h]
    gone = [f"{name(h)} → {name(d)} gone" for d, h in config.heads.items()
            if following.heads.get(d) != h]
    return ", ".join([*changed, *gone, f"cost {cost}"])


def draw(program, system):
    panels = []
    for sentence, heads, step, wanted in EXAMPLES[system]:
        words = sentence.split()
        config, _, costs = trace(program, system, words, heads)[step]
        panels.append((words, config, {move: costs[move] for move in wanted or costs}))
    longest = max(len(words) for words, *_ in panels)
    rooted = not system.startswith("covington")
    picture = Picture(system, FIRST + CELL * (longest + rooted) + NOTE + 250)
    for words, config, costs in panels:
        order = list(range(1, len(words) + 1))
        if rooted:
            order = order + [0] if system.startswith("arc-eager") else [0] + order
        picture.row(words, order, config, "before", "", None)
        picture.rule()
        for move, cost in costs.items():
            following = moves.after(system, config, move)
            picture.row(words, order, following, move, note(words, config, following, cost), config)
        picture.y += 14
    kinds = [("stack", "on the stack"), ("buffer", "in the buffer")]
    if system == "pointer":
        kinds[0] = ("stack", "has its head")
    if not rooted:
        kinds = [("stack", "up to i"), ("passed", "passed"), ("buffer", "from j on")]
    picture.key(kinds)
    return picture.svg()


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for system in EXAMPLES:
        (folder / f"{system}.svg").write_text(draw(program, system), "utf-8")


if __name__ == "__main__":
    main()
