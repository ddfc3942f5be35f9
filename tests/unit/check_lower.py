"""Lower case is what Python's str.lower() makes, as the official evaluation calls it:
    check_lower.py LOWER_LINES
Code points count that both sides' versions of Unicode know."""

import pathlib
import random
import subprocess
import sys
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "docs"))
import tap

SIGMA = "\u03a3"
#Of each kind that the rule for a final sigma tells apart : letters, other cased characters,
#ignorable ones, some that are both, and some that are neither.
TELLING = ("aA\u0391\u03a3\u03a3\u03a3\u01c5\u0130\u2167\u217f\u24b6\u24e9\xaa\xba\U0001f130\U0001f189"
           "'.:\xb7\u2019\u0301\u0345\xad\u02b0\u1d2c\u2c7d^ 1\u2180\u4e00-\u2014")


def run(program, *arguments, text=""):
    done = subprocess.run([program, *arguments], input=text.encode(), stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def find_differences(texts):
    """Up to five texts whose lower case differs."""
    got = run(program, text="".join(text + "\n" for text in texts)).split("\n")
    wrong = [f"{text!r}: {ours!r}, not {text.lower()!r}" for text, ours in zip(texts, got)
             if ours != text.lower()]
    return wrong[:5] or ([] if len(got) == len(texts) + 1 else ["lines are missing"])


program = sys.argv[1]
known = [chr(code) for code, flag in enumerate(run(program, "assigned"))
         if flag == "1" and code != 10 and unicodedata.category(chr(code)) not in ("Cn", "Cs")]
around = [text for char in known for text in (
    char, char + SIGMA, "a" + char + SIGMA, "a" + SIGMA + char, "a" + SIGMA + char + "a",
    "a" + SIGMA + " " + char, char + "'" + SIGMA)]
draw = random.Random(1)
mixed = ["".join(draw.choice(TELLING if draw.random() < 0.8 else known)
                 for _ in range(draw.randint(1, 8))) for _ in range(200000)]
sys.exit(tap.report([
    (f"{len(known)} code points, alone and around a sigma", find_differences(around)),
    (f"{len(mixed)} random texts", find_differences(mixed)),
]))
