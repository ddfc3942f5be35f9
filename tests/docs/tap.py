"""What the checks of documents print: TAP."""


def report(claims):
    """Prints a line for each (claim, problems), and the problems; the exit status."""
    for number, (claim, problems) in enumerate(claims, 1):
        print("not ok" if problems else "ok", number, "-", claim)
        for problem in problems:
            print("#", problem)
    print(f"1..{len(claims)}")
    return 1 if any(problems for _, problems in claims) else 0
