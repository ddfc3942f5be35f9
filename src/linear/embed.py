"""Writes template files as C string literals: embed.py FILE.templates... > builtin_templates.inc"""
import os
import sys


def main(paths):
    print("static const struct {\n    const char *name, *text;\n} builtin_sets[] = {")
    for path in paths:
        name = os.path.basename(path).removesuffix(".templates")
        print(f'    {{"{name}",')
        with open(path, encoding="ascii") as lines:
            for line in lines:
                text = line.rstrip("\n").replace("\\", "\\\\").replace('"', '\\"')
                print(f'     "{text}\\n"')
        print("    },")
    print("};")


main(sys.argv[1:])
